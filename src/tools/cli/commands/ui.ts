import type { Command } from 'commander';
import { addConnectionFlags } from '../../settings/connection-flags.ts';
import { withExamples } from '../examples.ts';
import { addPageFlags } from '../serve/page-flags.ts';
import type { UiFlags } from '../ui/ui.ts';

/** `logclient ui`: the web page in front of LogScale or Next-Gen SIEM. */
export function addUiCommand(program: Command): void {
  const command = program
    .command('ui')
    .summary('Open the web page in front of the service.')
    .description(
      'Serve the web page on this computer, in front of LogScale or Next-Gen SIEM. The command holds the credentials and forwards only the requests of the page; the browser never sees them. Stops on Ctrl-C.',
    );
  addPageFlags(command);
  withExamples(
    command,
    ['logclient ui --repository shop', 'search a repository in the browser'],
    ['logclient ui --profile production --no-open', 'use a saved profile, and only print the link'],
  );
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(async (flags: UiFlags) => {
    const { ui } = await import('../ui/ui.ts');
    await ui(flags);
  });
}
