import type { CommandRow } from '../command.ts';
import { PAGE_FLAGS } from '../serve/page-flags.ts';
import type { UiFlags } from '../ui/ui.ts';

/** `logclient ui`: the web page in front of LogScale or Next-Gen SIEM. */
export const UI: CommandRow<UiFlags> = {
  usage: 'ui',
  summary: 'Open the web page in front of the service.',
  about:
    'Serve the web page on this computer, in front of LogScale or Next-Gen SIEM. The command holds the credentials and forwards only the requests of the page; the browser never sees them. Stops on Ctrl-C.',
  flags: [...PAGE_FLAGS],
  connects: true,
  examples: [
    ['logclient ui --repository shop', 'search a repository in the browser'],
    ['logclient ui --profile production --no-open', 'use a saved profile, and only print the link'],
  ],
  run: async (flags) => (await import('../ui/ui.ts')).ui(flags),
};
