import type { Command } from 'commander';
import { withExamples } from '../examples.ts';

/** `logclient language-server`: checks and completes queries in editors. */
export function addLanguageServerCommand(program: Command): void {
  const command = program
    .command('language-server')
    .summary('Check and complete queries in your editor.')
    .description(
      'Serve the Language Server Protocol on stdin and stdout: problems with fixes, completion, hover and formatting for .lql and .cql files and for lql`…` templates in TypeScript and JavaScript. Needs no server.',
    )
    .option('--stdio', 'No effect. Many editors pass it to every language server.');
  withExamples(command, ['logclient language-server', 'run by your editor']);
  command.allowExcessArguments(false).action(async () => {
    const { languageServer } = await import('../../language-server/language-server.ts');
    await languageServer();
  });
}
