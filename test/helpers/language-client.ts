import { PassThrough, type Readable, type Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import {
  type CodeAction,
  type CompletionList,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type InitializeResult,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { serveEditor } from '../../src/tools/language-server/language-server.ts';
import { type CliProcess, startCli } from './cli-process.ts';
import { eventually } from './eventually.ts';

/** An editor connected to the language server. */
export class LanguageClient {
  /** The capabilities of the server. */
  readonly server: InitializeResult;
  readonly connection: ProtocolConnection;
  readonly #published = new Map<string, { version?: number; diagnostics: Diagnostic[] }>();

  private constructor(server: InitializeResult, connection: ProtocolConnection) {
    this.server = server;
    this.connection = connection;
    connection.onNotification('textDocument/publishDiagnostics', ({ uri, ...published }) => {
      this.#published.set(uri, published);
    });
  }

  /** Connects to a server in this process. */
  static connect(): Promise<LanguageClient> {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    serveEditor(createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient)));
    return LanguageClient.#over(toClient, toServer);
  }

  /** Connects to a process that runs `logclient language-server`. */
  static async connectToProcess(): Promise<{ client: LanguageClient; program: CliProcess }> {
    const program = startCli(['language-server', '--stdio']);
    const { stdin, stdout } = program.child;
    return { client: await LanguageClient.#over(stdout!, stdin!), program };
  }

  static async #over(input: Readable, output: Writable): Promise<LanguageClient> {
    const connection = createProtocolConnection(
      new StreamMessageReader(input),
      new StreamMessageWriter(output),
    );
    onTestFinished(() => connection.dispose());
    connection.listen();
    const server: InitializeResult = await connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    await connection.sendNotification('initialized', {});
    return new LanguageClient(server, connection);
  }

  async open(text: string, name = 'query.lql', languageId = 'lql'): Promise<OpenDocument> {
    const uri = `file:///project/${name}`;
    const document = TextDocument.create(uri, languageId, 1, text);
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
    return new OpenDocument(this, document);
  }

  /** The diagnostics that the server published for this version. */
  diagnostics(uri: string, version: number): Promise<Diagnostic[]> {
    return eventually(() => {
      const published = this.#published.get(uri);
      if (published?.version !== version) throw new Error(`No diagnostics for version ${version} of ${uri}`);
      return published.diagnostics;
    });
  }

  /** The latest diagnostics. */
  published(uri: string): Diagnostic[] | undefined {
    return this.#published.get(uri)?.diagnostics;
  }
}

/** A document in the editor. A position is that of a text's first occurrence. */
export class OpenDocument {
  readonly uri: string;
  readonly #client: LanguageClient;
  #document: TextDocument;

  constructor(client: LanguageClient, document: TextDocument) {
    this.#client = client;
    this.#document = document;
    this.uri = document.uri;
  }

  get text(): string {
    return this.#document.getText();
  }

  diagnostics(): Promise<Diagnostic[]> {
    return this.#client.diagnostics(this.uri, this.#document.version);
  }

  /** The diagnostics as `code "text in the document"`. */
  async problems(): Promise<string[]> {
    return (await this.diagnostics()).map(
      ({ code, range }) => `${code} ${JSON.stringify(this.#document.getText(range))}`,
    );
  }

  /** Applies edits, and sends only the changes. */
  async edit(edits: readonly TextEdit[]): Promise<void> {
    const { connection } = this.#client;
    const contentChanges = [...edits]
      .sort(
        (one, other) => this.#document.offsetAt(other.range.start) - this.#document.offsetAt(one.range.start),
      )
      .map(({ range, newText }) => ({ range, text: newText }));
    const version = this.#document.version + 1;
    this.#document = TextDocument.update(this.#document, contentChanges, version);
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.uri, version },
      contentChanges,
    });
  }

  /** Replaces the first occurrence of a text. */
  async replace(text: string, by: string): Promise<void> {
    await this.edit([{ range: this.rangeOf(text), newText: by }]);
  }

  rangeOf(text: string) {
    const start = this.text.indexOf(text);
    if (start === -1) throw new Error(`The document has no ${text}`);
    const { positionAt } = this.#document;
    return {
      start: positionAt.call(this.#document, start),
      end: positionAt.call(this.#document, start + text.length),
    };
  }

  completions(after: string): Promise<CompletionList | null> {
    return this.#request('completion', { position: this.rangeOf(after).end });
  }

  hover(text: string): Promise<Hover | null> {
    return this.#request('hover', { position: this.rangeOf(text).start });
  }

  formatting(): Promise<TextEdit[] | null> {
    return this.#request('formatting', { options: { tabSize: 2, insertSpaces: true } });
  }

  codeActions(text: string): Promise<CodeAction[] | null> {
    return this.#request('codeAction', { range: this.rangeOf(text), context: { diagnostics: [] } });
  }

  semanticTokens(): Promise<{ data: number[] }> {
    return this.#request('semanticTokens/full', {});
  }

  async close(): Promise<void> {
    await this.#client.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: this.uri },
    });
  }

  #request<T>(method: string, params: object): Promise<T> {
    return this.#client.connection.sendRequest(`textDocument/${method}`, {
      textDocument: { uri: this.uri },
      ...params,
    });
  }
}
