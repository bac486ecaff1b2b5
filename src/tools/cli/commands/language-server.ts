import type { CommandRow } from '../command.ts';

/** `logclient language-server`: checks and completes queries in editors. */
export const LANGUAGE_SERVER: CommandRow<undefined> = {
  usage: 'language-server',
  summary: 'Check and complete queries in your editor.',
  about:
    'Serve the Language Server Protocol on stdin and stdout: problems with fixes, completion, hover and formatting for .lql and .cql files and for lql`…` templates in TypeScript and JavaScript. Needs no server.',
  flags: [['--stdio', 'No effect. Many editors pass it to every language server.']],
  examples: [['logclient language-server', 'run by your editor']],
  run: async () => (await import('../../language-server/language-server.ts')).languageServer(),
};
