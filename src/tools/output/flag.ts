import { type Command, Option } from 'commander';

/** A flag in commander's syntax, its description, its possible values or the parser of its value, and flags it excludes. */
export type Flag =
  | Option
  | readonly [
      flags: string,
      about: string,
      values?: readonly string[] | ((text: string, before: never) => unknown),
      excluded?: string | string[],
    ];

/** Adds flags to a command. */
export function addFlags(command: Command, flags: readonly Flag[]): Command {
  for (const flag of flags) command.addOption(flag instanceof Option ? flag : optionOf(flag));
  return command;
}

function optionOf([flags, about, values, excluded = []]: Exclude<Flag, Option>): Option {
  const option = new Option(flags, about).conflicts(excluded);
  if (values === undefined) return option;
  return typeof values === 'function'
    ? option.argParser(values as (text: string, before: unknown) => unknown)
    : option.choices(values);
}
