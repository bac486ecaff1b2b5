import {
  CodeActionKind,
  type Connection,
  createConnection,
  type InitializeResult,
  type TextDocumentIdentifier,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { version } from '../../../package.json' with { type: 'json' };
import { writeNote } from '../output/standard-output.ts';
import { codeActions, completionsAt, diagnosticsOf, formattingEdits, hoverAt } from './features.ts';
import { QueryDocument } from './query-document.ts';
import { semanticTokens, TOKEN_TYPES } from './semantic-tokens.ts';

const TERMINAL_NOTE =
  'logclient: this command is for editors, which talk to it on stdin and stdout. Press Ctrl-C to stop.';

/** Fast typing is checked once. */
const DIAGNOSTICS_DELAY_MS = 100;

const CAPABILITIES: InitializeResult = {
  serverInfo: { name: 'logclient', version },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['|', '(', ',', '=', '$', '?', ':', '#', '@'] },
    hoverProvider: true,
    documentFormattingProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    // Not for programs: the tokens would replace those of the program's own language server.
    semanticTokensProvider: {
      documentSelector: [{ pattern: '**/*.{lql,cql}' }],
      legend: { tokenTypes: TOKEN_TYPES, tokenModifiers: [] },
      full: true,
    },
  },
};

/** Serves the Language Server Protocol on stdin and stdout. The process exits on `exit`, or when stdin is closed. */
export function languageServer(): Promise<never> {
  if (process.stdin.isTTY === true) writeNote(TERMINAL_NOTE);
  const connection = createConnection(process.stdin, process.stdout);
  connection.onInitialize(() => CAPABILITIES);
  const documents = new TextDocuments(TextDocument);
  answerRequests(connection, documents);
  publishDiagnostics(connection, documents);
  documents.listen(connection);
  connection.listen();
  return new Promise(() => {});
}

function answerRequests(connection: Connection, documents: TextDocuments<TextDocument>): void {
  const cache = new WeakMap<TextDocument, { readonly version: number; readonly document: QueryDocument }>();
  const opened = ({ uri }: TextDocumentIdentifier): QueryDocument | undefined => {
    const text = documents.get(uri);
    if (text === undefined) return undefined;
    const cached = cache.get(text);
    if (cached?.version === text.version) return cached.document;
    const document = new QueryDocument(text);
    cache.set(text, { version: text.version, document });
    return document;
  };
  connection.onCompletion(({ textDocument, position }) => {
    const document = opened(textDocument);
    // Incomplete: the items are those that start with the word so far.
    return document && { isIncomplete: true, items: completionsAt(document, position) };
  });
  connection.onHover(({ textDocument, position }) => {
    const document = opened(textDocument);
    return document && hoverAt(document, position);
  });
  connection.onDocumentFormatting(({ textDocument }) => {
    const document = opened(textDocument);
    return document && formattingEdits(document);
  });
  connection.onCodeAction(({ textDocument, range }) => {
    const document = opened(textDocument);
    return document && codeActions(document, textDocument.uri, range);
  });
  connection.languages.semanticTokens.on(({ textDocument }) => {
    const text = documents.get(textDocument.uri);
    return text === undefined || opened(textDocument)?.isQuery !== true ? { data: [] } : semanticTokens(text);
  });
}

function publishDiagnostics(connection: Connection, documents: TextDocuments<TextDocument>): void {
  const timers = new Map<string, NodeJS.Timeout>();
  documents.onDidChangeContent(({ document }) => {
    const { uri } = document;
    clearTimeout(timers.get(uri));
    const publish = (): void => {
      const diagnostics = diagnosticsOf(new QueryDocument(document));
      void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
    };
    timers.set(uri, setTimeout(publish, DIAGNOSTICS_DELAY_MS));
  });
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
}
