import type { Command } from 'commander';

/** A line to paste, and what it does. */
export type Example = readonly [line: string, meaning: string];

const EXAMPLES = new WeakMap<Command, readonly Example[]>();

/** Gives a command examples, which its help shows first: people copy before they read. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  EXAMPLES.set(command, examples);
  const lines = examples.flatMap(([line, meaning]) => [`  # ${meaning}`, `  $ ${line}`]);
  return command.addHelpText('before', `Examples:\n${lines.join('\n')}\n`);
}

/** The examples of a command, for its documentation and its tests. */
export function examplesOf(command: Command): readonly Example[] {
  return EXAMPLES.get(command) ?? [];
}
