import type { Command } from 'commander';
import { addLineTimeZone } from '../../output/output-flags.ts';
import { withExamples } from '../examples.ts';
import { addPageFlags } from '../serve/page-flags.ts';
import type { ViewFlags } from '../view/view.ts';

/** `logclient view`: the web page on files or a pipe. */
export function addViewCommand(program: Command): void {
  const command = program
    .command('view')
    .summary('Open the web page on files or a pipe.')
    .description(
      'Open the web page on the lines of files or stdin, without a server or an account. Lines are read as by "logclient query --stdin" and kept in memory. Stops on Ctrl-C.',
    )
    .argument('[files...]', 'Files to read ("-" for stdin). Default: stdin.')
    .option('-F, --follow', 'Keep reading new lines of the files, even if they are rotated.');
  addLineTimeZone(command);
  addPageFlags(command);
  withExamples(
    command,
    ['logclient view app.log', 'search a file in the browser'],
    ['node app.js | logclient view', 'follow the output of a program'],
    ['logclient view --follow api.log worker.log', 'follow several growing files'],
  );
  command.action(async (files: readonly string[], flags: ViewFlags) => {
    const { view } = await import('../view/view.ts');
    await view(files, flags);
  });
}
