import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

const LANGUAGES = [
  'lql',
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
  'yaml',
  'json',
  'markdown',
];
const PROGRAM = 'dist/cli/main.js';

/** Starts the language server of the workspace's logclient. */
export async function activate(context: ExtensionContext): Promise<void> {
  const folder = packageFolder();
  const program = folder && join(folder, PROGRAM);
  if (program === undefined || !existsSync(program)) {
    reportMissing(program);
    return;
  }
  // VS Code's own Node runs it: a computer without Node is fine, and Windows needs no shell.
  const keys = workspace.getConfiguration('logclient').get<string[]>('queryKeys') ?? [];
  const settings = keys.length === 0 ? {} : { LOGCLIENT_QUERY_KEYS: keys.join(',') };
  const options = { env: { ...process.env, ...settings, ELECTRON_RUN_AS_NODE: '1' } };
  const client = new LanguageClient(
    'logclient',
    'LogScale queries',
    { command: process.execPath, args: [program, 'language-server'], options },
    { documentSelector: LANGUAGES.map((language) => ({ language })) },
  );
  context.subscriptions.push(client);
  await client.start();
}

/** The configured folder, or that of the first workspace folder with the package. */
function packageFolder(): string | undefined {
  const configured = workspace.getConfiguration('logclient').get<string>('path');
  if (configured) return configured;
  return workspace.workspaceFolders
    ?.map(({ uri }) => join(uri.fsPath, 'node_modules/logclient'))
    .find((folder) => existsSync(join(folder, PROGRAM)));
}

/** A workspace of other programs needs no message. */
function reportMissing(program: string | undefined): void {
  const isQueryOpen = workspace.textDocuments.some(({ languageId }) => languageId === 'lql');
  if (program === undefined && !isQueryOpen) return;
  const place = program === undefined ? 'in node_modules of the workspace' : `at ${program}`;
  void window.showWarningMessage(
    `logclient was not found ${place}. Run "npm install --save-dev logclient", or set "logclient.path", and reload the window.`,
  );
}
