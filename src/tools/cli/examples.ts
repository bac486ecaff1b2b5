import type { Command, Help } from 'commander';

/** A command to paste and a short comment on it. */
export type Example = readonly [line: string, meaning: string];

/** The number of examples in help. docs/commands.md has all of them. */
const MAX_SHOWN = 3;
const EXAMPLES = new WeakMap<Command, readonly Example[]>();

/** Adds examples to a command, the most useful first. */
export function withExamples(command: Command, ...examples: readonly Example[]): void {
  EXAMPLES.set(command, examples);
}

/** The examples of a command, for its documentation and its tests. */
export function examplesOf(command: Command): readonly Example[] {
  return EXAMPLES.get(command) ?? [];
}

/** The first examples of a command as lines of its help. */
export function exampleLines(command: Command, helper: Help, width: number): string[] {
  const examples = examplesOf(command);
  const lines = examples.slice(0, MAX_SHOWN).flatMap(([line, meaning]) => {
    const comment = helper.boxWrap(meaning, width - 4).split('\n');
    return [...comment.map((part) => `  # ${part}`), `  $ ${line}`];
  });
  const more = examples.length - MAX_SHOWN;
  if (more > 0) lines.push(helper.boxWrap(`${more} more: docs/commands.md in the package.`, width));
  return helper.formatItemList('Examples:', lines, helper);
}
