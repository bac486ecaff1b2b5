import { type Command, Option } from 'commander';

/** A flag in commander's syntax, its description, its possible values or the parser of its value, and flags it excludes. */
export type Flag =
  | Option
  | readonly [
      flags: string,
      about: string,
      values?: readonly string[] | ((text: string, before: never) => unknown),
      excluded?: string | readonly string[],
    ];

type CamelCase<Text extends string> = Text extends `${infer Name} ${string}`
  ? CamelCase<Name>
  : Text extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<CamelCase<Rest>>}`
    : Text;

type NameIn<Text> = Text extends `${string}--${infer Name}`
  ? CamelCase<Name extends `no-${infer Positive}` ? Positive : Name>
  : never;

type ValueOf<One> = One extends readonly [string, string, readonly (infer Value)[], ...unknown[]]
  ? Value
  : One extends readonly [string, string, (...args: never[]) => infer Value, ...unknown[]]
    ? Value
    : One extends readonly [`${string}<${string}`, ...unknown[]]
      ? string
      : boolean;

/** The values of the flags in a table: `--full-name <name>` is `fullName`, which is what its parser returns, or a string. */
export type FlagsOf<Flags extends readonly Flag[]> = {
  readonly [One in Flags[number] as One extends readonly [infer Text, ...unknown[]]
    ? NameIn<Text>
    : never]?: ValueOf<One>;
};

/** Adds flags to a command. */
export function addFlags(command: Command, flags: readonly Flag[]): Command {
  for (const flag of flags) command.addOption(flag instanceof Option ? flag : optionOf(flag));
  return command;
}

function optionOf([flags, about, values, excluded = []]: Exclude<Flag, Option>): Option {
  const option = new Option(flags, about).conflicts([excluded].flat());
  if (values === undefined) return option;
  return typeof values === 'function'
    ? option.argParser(values as (text: string, before: unknown) => unknown)
    : option.choices(values);
}
