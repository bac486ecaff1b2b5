import type { Command } from 'commander';
import { heading } from './help-format.ts';

/** A command to paste and a short comment on it. */
export type Example = readonly [line: string, meaning: string];

const EXAMPLES = new WeakMap<Command, readonly Example[]>();

/** Adds examples to a command. Its help starts with them. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  EXAMPLES.set(command, examples);
  return command.addHelpText('before', () => {
    const helper = command.createHelp();
    const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
    const lines = examples.flatMap(([line, meaning]) => [
      ...helper
        .boxWrap(meaning, width - 4)
        .split('\n')
        .map((part) => `  # ${part}`),
      `  $ ${line}`,
    ]);
    return `${heading('Examples:')}\n${lines.join('\n')}\n`;
  });
}

/** The examples of a command, for its documentation and its tests. */
export function examplesOf(command: Command): readonly Example[] {
  return EXAMPLES.get(command) ?? [];
}
