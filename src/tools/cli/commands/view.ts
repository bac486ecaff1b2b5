import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { CommandRow } from '../command.ts';
import { PAGE_FLAGS } from '../serve/page-flags.ts';
import type { ViewFlags } from '../view/view.ts';

/** `logclient view`: the web page on files or a pipe. */
export const VIEW: CommandRow<ViewFlags> = {
  usage: 'view [files...]',
  summary: 'Open the web page on files or a pipe.',
  about:
    'Open the web page on the lines of files or stdin, without a server or an account. Lines are read as by "logclient query --stdin" and kept in memory. Stops on Ctrl-C.',
  args: ['Files to read ("-" for stdin). Default: stdin.'],
  flags: [
    ['-F, --follow', 'Keep reading new lines of the files, even if they are rotated.'],
    LINE_TIME_ZONE,
    ...PAGE_FLAGS,
  ],
  examples: [
    ['logclient view app.log', 'search a file in the browser'],
    ['node app.js | logclient view', 'follow the output of a program'],
    ['logclient view --follow api.log worker.log', 'follow several growing files'],
  ],
  run: async (flags, files: readonly string[]) => (await import('../view/view.ts')).view(files, flags),
};
