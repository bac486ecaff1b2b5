import type { CommandRow } from '../command.ts';
import type { PlayFlags } from '../play/play.ts';
import { LINK_FLAGS } from '../serve/page-flags.ts';

/** `logclient play`: the playground, which needs no service. */
export const PLAY: CommandRow<PlayFlags> = {
  usage: 'play',
  summary: 'Try the query language on sample logs, without a service.',
  about:
    'Serve the playground: the web page with sample logs, or with files and lines of your own. Queries run in the browser, so the data never leaves it. Stops on Ctrl-C.',
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
