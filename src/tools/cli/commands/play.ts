import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import type { PlayFlags } from '../play/play.ts';
import { addLinkFlags } from '../serve/page-flags.ts';

/** `logclient play`: the playground, which needs no service. */
export function addPlayCommand(program: Command): void {
  const command = program
    .command('play')
    .summary('Try the query language on sample logs, without a service.')
    .description(
      'Serve the playground: the web page with sample logs, or with files and lines of your own. Queries run in the browser, so the data never leaves it. Stops on Ctrl-C.',
    )
    .option(
      '--out <folder>',
      'Write the static files of the playground to a folder instead, to host it elsewhere.',
    );
  addLinkFlags(command);
  withExamples(
    command,
    ['logclient play', 'search sample logs in the browser'],
    ['logclient play --out public/play', 'write the static files'],
  );
  command.allowExcessArguments(false).action(async (flags: PlayFlags) => {
    const { play } = await import('../play/play.ts');
    await play(flags);
  });
}
