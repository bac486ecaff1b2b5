import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { CommandRow } from '../command.ts';
import type { PlayFlags } from '../play/play.ts';
import { LINK_FLAGS, PAGE_FLAGS } from '../serve/page-flags.ts';
import type { UiFlags } from '../ui/ui.ts';
import type { ViewFlags } from '../view/view.ts';

export const UI: CommandRow<UiFlags> = {
  usage: 'ui',
  about:
    'Open the web page in front of the service. Serves it on this computer, for LogScale or Next-Gen SIEM. The command holds the credentials and forwards only the requests of the page; the browser never sees them. Stops on Ctrl-C.',
  flags: [...PAGE_FLAGS],
  connects: true,
  examples: [
    ['logclient ui --repository shop', 'search a repository in the browser'],
    ['logclient ui --profile production --no-open', 'use a saved profile, and only print the link'],
  ],
  run: async (flags) => (await import('../ui/ui.ts')).ui(flags),
};

export const VIEW: CommandRow<ViewFlags> = {
  usage: 'view [files...]',
  about:
    'Open the web page on files or a pipe. Needs no server and no account. Lines are read as by "logclient query --stdin" and kept in memory. Stops on Ctrl-C.',
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

export const PLAY: CommandRow<PlayFlags> = {
  usage: 'play',
  about:
    'Try the query language on sample logs, without a service. Serves the playground: the web page with sample logs, or with files and lines of your own. Queries run in the browser, so the data never leaves it. Stops on Ctrl-C.',
  flags: [
    ['--out <folder>', 'Write the static files of the playground to a folder instead, to host it elsewhere.'],
    ...LINK_FLAGS,
  ],
  examples: [
    ['logclient play', 'search sample logs in the browser'],
    ['logclient play --out public/play', 'write the static files'],
  ],
  run: async (flags) => (await import('../play/play.ts')).play(flags),
};
