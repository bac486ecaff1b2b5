import { type Command, Help, type Option } from 'commander';

/** What a shell needs to complete a command line. */
export interface CompletionTree {
  /** The words of the command: `logclient files list`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly children: readonly CompletionTree[];
  readonly flags: readonly CompletionFlag[];
  /** Possible arguments, if known. */
  readonly choices: readonly string[];
  /** Whether an argument is a file. */
  readonly takesPath: boolean;
}

export interface CompletionFlag {
  /** `-o` and `--output`, if they exist. */
  readonly names: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  /** Whether the value is a file or a folder. */
  readonly takesPath: boolean;
  readonly choices: readonly string[];
}

/** Names of arguments that are files or folders, as in `--file <path>` and `ingest [files...]`. */
const PATHS = /^(paths?|files|folder)$/;

/** The commands and flags of a program. */
export function completionTree(command: Command, above: readonly string[] = []): CompletionTree {
  const path = [...above, command.name()];
  // The help of the program names shared flags in one line.
  const help = new Help();
  return {
    path,
    summary: command.description(),
    children: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .map((child) => completionTree(child, path)),
    flags: help.visibleOptions(command).map(flagOf),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesPath: command.registeredArguments.some((argument) => PATHS.test(argument.name())),
  };
}

/** A tree and all its descendants. */
export function allTrees(tree: CompletionTree): readonly CompletionTree[] {
  return [tree, ...tree.children.flatMap(allTrees)];
}

function flagOf(option: Option): CompletionFlag {
  return {
    names: [option.short, option.long].filter((name) => name !== undefined && name !== null),
    summary: option.description,
    takesValue: option.required || option.optional,
    takesPath: PATHS.test(/[[<]([^\]>]*)/.exec(option.flags)?.[1] ?? ''),
    choices: option.argChoices ?? [],
  };
}
