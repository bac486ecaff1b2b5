import type { Command } from 'commander';
import { usageFailure } from '../output/command-failure.ts';
import { addFlags, type Flag } from '../output/flag.ts';
import { addOutputFlags, type OutputKind } from '../output/output-flags.ts';
import { addConnectionFlags } from '../settings/connection-flags.ts';
import { type Example, withExamples } from './examples.ts';

/** A command. It loads its implementation when it runs. */
export interface CommandRow<Flags = never> {
  /** The name and arguments in commander's syntax: `show <email>`. */
  readonly usage: string;
  /** Lists of commands show the first sentence. */
  readonly about: string;
  /** What its arguments are, in order. */
  readonly args?: readonly string[];
  readonly flags?: readonly Flag[];
  /** What it prints, if it has the flags for output. */
  readonly output?: OutputKind;
  /** Whether it has the flags for a connection. */
  readonly connects?: true;
  readonly examples: readonly Example[];
  run(flags: Flags, ...args: never[]): Promise<void>;
}

/** A command that has only subcommands. */
export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly CommandRow[];
}

export type CommandEntry = CommandRow | CommandGroup | ((program: Command) => void);

/** Adds commands to a program. @param words the command line. Other commands get no flags. Default: all do */
export function addCommands(parent: Command, rows: readonly CommandEntry[], words?: readonly string[]): void {
  for (const row of rows) {
    if (typeof row === 'function') row(parent);
    else if ('commands' in row) addCommands(addGroup(parent, row), row.commands, words);
    else addCommand(parent, row, words);
  }
}

/** Adds a command without its subcommands. */
export function addGroup(program: Command, { name, about }: Omit<CommandGroup, 'commands'>): Command {
  const group = program.command(name).description(about);
  return group.helpCommand('help [command]', 'Show help for a command.');
}

function addCommand(parent: Command, row: CommandRow, words?: readonly string[]): void {
  const { usage, about, args = [], flags = [], output, connects = false, examples } = row;
  const command = parent.command(usage).description(about);
  if (words?.includes(command.name()) === false) return;
  for (const [index, text] of args.entries()) command.registeredArguments[index]!.description = text;
  addFlags(command, flags);
  if (output !== undefined) addOutputFlags(command, output);
  if (connects) addConnectionFlags(command);
  withExamples(command, ...examples);
  const run = row.run as (flags: unknown, ...args: unknown[]) => Promise<void>;
  command.action((...words: unknown[]) => {
    // commander passes the arguments, then the flags, then the command.
    const values = words.slice(0, -2);
    const isBlank = (value: unknown): boolean => [value].flat().some((word) => String(word).trim() === '');
    // Only a description and a saved query may be blank.
    const blank = command.registeredArguments.find(
      (argument, index) =>
        argument.required &&
        !['describe text', 'create query'].includes(`${command.name()} ${argument.name()}`) &&
        isBlank(values[index]),
    );
    if (blank !== undefined) throw usageFailure(`<${blank.name()}> is empty.`);
    return run(words.at(-2), ...values);
  });
}
