import {
  CodeActionKind,
  type Connection,
  createConnection,
  ErrorCodes,
  type InitializeResult,
  ResponseError,
  type TextDocumentIdentifier,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { version } from '../../../package.json' with { type: 'json' };
import { writeNote } from '../output/standard-output.ts';
import { EXTENSIONS } from '../sources/query-files.ts';
import { definitionOf } from './definition.ts';
import { codeActions, completionsAt, formattingEdits, hoverAt, problemsOf, signatureAt } from './features.ts';
import { QueryDocument, type QueryPlace } from './query-document.ts';
import { renameField, validFieldNames } from './rename.ts';
import { semanticTokens, TOKEN_TYPES } from './semantic-tokens.ts';
import { definitionName, documentSymbols, foldingRanges } from './structure.ts';

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
    signatureHelpProvider: { triggerCharacters: ['(', ',', '='] },
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    definitionProvider: true,
    renameProvider: { prepareProvider: true },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    // Not for programs: the tokens would replace those of the program's own language server.
    semanticTokensProvider: {
      documentSelector: EXTENSIONS.query.map((extension) => ({ pattern: `**/*${extension}` })),
      legend: { tokenTypes: TOKEN_TYPES, tokenModifiers: [] },
      full: true,
    },
  },
};

/** Serves the Language Server Protocol on stdin and stdout. The process exits on `exit`, or when stdin is closed. */
export function languageServer(): Promise<never> {
  if (process.stdin.isTTY === true) writeNote(TERMINAL_NOTE);
  serveEditor(createConnection(process.stdin, process.stdout));
  return new Promise(() => {});
}

/** Serves the Language Server Protocol on a connection. */
export function serveEditor(connection: Connection): void {
  connection.onInitialize(() => CAPABILITIES);
  const documents = new TextDocuments(TextDocument);
  answerRequests(connection, documents);
  publishDiagnostics(connection, documents);
  documents.listen(connection);
  connection.listen();
}

/** Makes a function of an open document the handler of requests; other documents get no response. */
type Answering = <Params extends { readonly textDocument: TextDocumentIdentifier }, Answer>(
  answer: (document: QueryDocument, params: Params) => Answer,
) => (params: Params) => Answer | undefined;

function answerRequests(connection: Connection, documents: TextDocuments<TextDocument>): void {
  const cache = new WeakMap<TextDocument, { readonly version: number; readonly document: QueryDocument }>();
  const opened = ({ uri }: TextDocumentIdentifier): QueryDocument | undefined => {
    const text = documents.get(uri);
    if (text === undefined) return undefined;
    const cached = cache.get(text);
    if (cached?.version === text.version) return cached.document;
    const document = new QueryDocument(text, queryKeys());
    cache.set(text, { version: text.version, document });
    return document;
  };
  const of: Answering = (answer) => (params) => {
    const document = opened(params.textDocument);
    return document && answer(document, params);
  };
  // Incomplete: the items are those that start with the word so far.
  connection.onCompletion(
    of((document, { position }) => ({ isIncomplete: true, items: completionsAt(document, position) })),
  );
  connection.onHover(of((document, { position }) => hoverAt(document, position)));
  connection.onSignatureHelp(of((document, { position }) => signatureAt(document, position)));
  answerNavigation(connection, of);
  connection.onDocumentFormatting(of(formattingEdits));
  connection.onCodeAction(
    of((document, { textDocument, range }) => codeActions(document, textDocument.uri, range)),
  );
  connection.languages.semanticTokens.on(({ textDocument }) => {
    const text = documents.get(textDocument.uri);
    return text === undefined || opened(textDocument)?.isQuery !== true ? { data: [] } : semanticTokens(text);
  });
}

function answerNavigation(connection: Connection, of: Answering): void {
  connection.onDocumentSymbol(of(documentSymbols));
  connection.onFoldingRanges(of(foldingRanges));

  connection.onDefinition(
    of((document, { textDocument, position }) => {
      const place = document.placeAt(position);
      const name = place && definitionName(place.embedded.query, place.offset);
      return name === undefined ? null : definitionOf(textDocument.uri, name);
    }),
  );

  connection.onPrepareRename(
    of((document, { position }) => {
      const place = document.placeAt(position);
      if (place === undefined || !canRename(place)) return null;
      const names = validFieldNames(place.embedded.query);
      const field = names.find(({ span }) => span.start <= place.offset && place.offset <= span.end);
      return field === undefined ? null : document.rangeOf(place.embedded, field.span);
    }),
  );

  connection.onRenameRequest(
    of((document, { textDocument, position, newName }) => {
      const place = document.placeAt(position);
      if (place === undefined || !canRename(place)) return null;
      const edits = renameField(place.embedded.query, place.offset, newName);
      if (typeof edits === 'string') return new ResponseError(ErrorCodes.InvalidParams, edits);
      const texts = edits.map(({ span, text }) => ({
        range: document.rangeOf(place.embedded, span),
        newText: place.embedded.encode?.(text, '') ?? text,
      }));
      return { changes: { [textDocument.uri]: texts } };
    }),
  );
}
/** Only strings that can be written in place. */
function canRename({ embedded }: QueryPlace): boolean {
  return embedded.kind !== 'fixed';
}

/** Names of further members of YAML and JSON that have queries. */
function queryKeys(): readonly string[] {
  return (process.env.LOGCLIENT_QUERY_KEYS ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function publishDiagnostics(connection: Connection, documents: TextDocuments<TextDocument>): void {
  const timers = new Map<string, NodeJS.Timeout>();
  documents.onDidChangeContent(({ document }) => {
    const { uri } = document;
    clearTimeout(timers.get(uri));
    const publish = (): void => {
      const problems = problemsOf(new QueryDocument(document, queryKeys()));
      const diagnostics = problems.map(({ diagnostic }) => diagnostic);
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
