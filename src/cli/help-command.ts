import { Command } from 'commander';
import { nearestName } from '../internal/option-checks.ts';
import { usageFailure } from './command-failure.ts';
import { withExamples } from './examples.ts';

/** `logclient help users update`: the same as `logclient users update --help`. commander's own knows one word. */
export function addHelpCommand(program: Command): void {
  program.helpCommand(false);
  const command = new Command('help')
    .argument('[command...]', 'The words of a command, or a topic. Default: everything.')
    .description('Print how to use a command, or about a topic.')
    .helpGroup('More:')
    .action((words: readonly string[]) => helpFor(program, words));
  withExamples(
    command,
    ['logclient help users update', 'how to change a user'],
    ['logclient help exit-codes', 'what does a command end with?'],
  );
  program.addCommand(command);
}

function helpFor(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words) {
    const names = command.commands.map((each) => each.name());
    const below = command.commands[names.indexOf(word)];
    if (below === undefined) {
      const nearest = nearestName(word, names);
      const hint =
        nearest === undefined ? 'Run "logclient --help" to see what there is.' : `Did you mean ${nearest}?`;
      throw usageFailure(`there is no command '${word}' to help with. ${hint}`);
    }
    command = below;
  }
  command.outputHelp();
}
