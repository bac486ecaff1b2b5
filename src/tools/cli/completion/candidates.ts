import { type Command, Help, type Option } from 'commander';
import { writeOutput } from '../../output/standard-output.ts';
import { profileNames } from '../../settings/logclient-config.ts';
import { firstSentence } from '../help-format.ts';
import { commandOf } from '../usage-message.ts';

/** Says that a file or folder can follow. */
const PATH = ':path';
/** Names of arguments that are files or folders, as in `--file <path>` and `ingest [files...]`. */
const PATHS = /^(paths?|files|files-and-query|folder)$/;

/** Writes what can replace the last word of a command line, one per line, for the scripts of shells. */
export async function writeCandidates(program: Command, words: readonly string[]): Promise<void> {
  const lines = await candidatesFor(program, words.slice(0, -1), words.at(-1) ?? '');
  await writeOutput(lines.map((line) => `${line}\n`).join(''));
}

/** Candidates that start with the current word, each with a description behind a tab, and {@link PATH}. */
async function candidatesFor(
  program: Command,
  before: readonly string[],
  current: string,
): Promise<readonly string[]> {
  const { command } = commandOf(program, before);
  // The help of the program names shared flags in one line.
  const help = new Help();
  const options = help.visibleOptions(command);
  const flag = options.find(
    (option) => (option.required || option.optional) && namesOf(option).includes(before.at(-1)!),
  );
  if (flag?.long === '--profile') return startingWith(current, await profileNames().catch(() => []));
  if (flag !== undefined) {
    const isPath = PATHS.test(/[[<]([^\]>]*)/.exec(flag.flags)![1]!);
    return isPath ? [PATH] : startingWith(current, flag.argChoices ?? []);
  }
  if (current.startsWith('-')) {
    const described = (option: Option): string[] =>
      namesOf(option).map((name) => `${name}\t${option.description}`);
    return startingWith(current, options.flatMap(described));
  }
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const argumentsOf = command.registeredArguments;
  return [
    ...startingWith(current, [
      ...children.map((child) => `${child.name()}\t${firstSentence(child.description())}`),
      ...argumentsOf.flatMap(({ argChoices }) => argChoices ?? []),
    ]),
    ...(argumentsOf.some((argument) => PATHS.test(argument.name())) ? [PATH] : []),
  ];
}

function namesOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name != null);
}

function startingWith(current: string, lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.startsWith(current));
}
