import type { Command } from 'commander';
import { usageFailure } from '../output/command-failure.ts';
import { withExamples } from './examples.ts';

export function addHelpCommand(program: Command): void {
  program.helpCommand(false);
  const command = program
    .command('help')
    .argument('[command...]', 'Command or topic. Default: all commands.')
    .description('Show help for a command or topic.')
    .action((words: readonly string[]) => helpFor(program, words));
  withExamples(
    command,
    ['logclient help users update', 'show help for "users update"'],
    ['logclient help exit-codes', 'list the exit codes'],
  );
}

async function helpFor(program: Command, words: readonly string[]): Promise<void> {
  let command = program;
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (below === undefined) {
      const nearest = (await import('./suggestion.ts')).suggestedCommand(word, command);
      const hint = nearest === undefined ? 'Run "logclient --help" for a list.' : `Did you mean ${nearest}?`;
      throw usageFailure(`unknown command or topic '${word}'. ${hint}`);
    }
    command = below;
  }
  command.outputHelp();
}
