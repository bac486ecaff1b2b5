import { type Command, Option } from 'commander';
import { LogException } from '../../../core/errors.ts';
import type { IfExists, LogClient } from '../../../index.ts';
import { existsFailure, MissingFailure, usageFailure } from '../../output/command-failure.ts';
import { addOutputFlags, type OutputFlags } from '../../output/output-flags.ts';
import type { Row } from '../../output/row-format.ts';
import { writeNote } from '../../output/standard-output.ts';
import { addConnectionFlags, type ConnectionFlags } from '../../settings/connection-flags.ts';
import type { Needs } from '../../settings/service.ts';
import { confirmDeletion } from '../confirmation.ts';
import { type Example, withExamples } from '../examples.ts';

/** The flags of every operation, and those that several have. */
export interface ResourceFlags extends ConnectionFlags, OutputFlags {
  readonly yes?: boolean;
  readonly ifExists?: IfExists;
  readonly ifMissing?: 'error' | 'ok';
}

/** A call of an operation. */
export interface Call<Flags = ResourceFlags> {
  readonly client: LogClient;
  readonly signal: AbortSignal;
  readonly flags: Flags;
  /** Writes rows to stdout. */
  write(rows: readonly Row[], columns: readonly string[]): Promise<void>;
  /** Reports on stderr what was done. */
  note(message: string): void;
}

/** A flag in commander's syntax, its description, and the parser of its value. */
export type Flag =
  | Option
  | readonly [flags: string, about: string, parse?: (text: string, before: never) => unknown];

/** An operation on a resource, which is a subcommand. */
export interface Operation<Flags = ResourceFlags> {
  /** The name and arguments in commander's syntax: `show <email>`. */
  readonly usage: string;
  readonly about: string;
  readonly flags?: readonly Flag[];
  readonly examples: readonly Example[];
  /** The columns of the rows that {@link run} returns. Without them, the operation prints no rows. */
  readonly columns?: readonly string[];
  /** What the operation deletes, for the question before it. */
  readonly deletes?: (name: string, client: LogClient) => string;
  /** How to keep or update what already has the name. */
  readonly ifTaken?: string;
  /** Calls the service. Returns rows to write, or what was done, for stderr. */
  run(call: Call<Flags>, ...words: string[]): Promise<readonly Row[] | string | undefined>;
}

/** A subcommand that does not call the service. */
export interface LocalOperation {
  define(resource: Command): void;
}

/** A kind of resource, such as users, and its subcommands. */
export interface Resource<Flags = ResourceFlags> {
  readonly name: string;
  readonly about: string;
  readonly needs?: Needs;
  readonly operations: readonly (Operation<Flags> | LocalOperation)[];
}

/** The flag of operations that create something, with the hint for {@link Operation.ifTaken}. */
export const IF_EXISTS = new Option(
  '--if-exists <policy>',
  'What to do if the name is in use: fail with exit status 3, keep what exists, or update it with the given flags. Prints the same row as for a new one. Default: error.',
).choices(['error', 'keep', 'update'] satisfies IfExists[]);
export const IF_EXISTS_HINT = 'To keep or update it, pass --if-exists keep or --if-exists update.';

export const YES: Flag = ['-y, --yes', 'Skip the confirmation prompt.'];

const DELETION_FLAGS: readonly Flag[] = [
  YES,
  new Option(
    '--if-missing <policy>',
    'What to do if there is nothing to delete: fail with exit status 1 (error), or succeed (ok). Default: error.',
  ).choices(['error', 'ok']),
];

/** Returns what a repository has. @param list name of the resource. @throws MissingFailure if it is undefined */
export function existingIn<T>(
  { repository }: LogClient,
  result: T | undefined,
  what: string,
  list: string,
): T {
  if (result !== undefined) return result;
  throw new MissingFailure(
    `the repository "${repository}" has no ${what}. "logclient ${list} list" shows its ${list.replace('-', ' ')}.`,
  );
}

/** @throws CommandFailure if no flag sets any of the changes. */
export function requireChanges(changes: object, flags: string): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  throw usageFailure(`nothing to change. Pass ${flags}.`);
}

/** Adds the subcommands of a resource. They have hundreds of flags: call this only if the command line names it. */
export function addOperations(parent: Command, { needs = {}, operations }: Resource): void {
  for (const operation of operations) {
    if ('define' in operation) operation.define(parent);
    else addOperation(parent, needs, operation);
  }
}

function addOperation(parent: Command, needs: Needs, operation: Operation): void {
  const { usage, about, flags = [], examples, columns, deletes } = operation;
  const command = parent.command(usage).description(about).allowExcessArguments(false);
  addOutputFlags(command, columns === undefined ? 'note' : 'list');
  addConnectionFlags(command);
  // The operation's own flags are shown first.
  command.optionsGroup('Options:');
  for (const flag of [...(deletes === undefined ? [] : DELETION_FLAGS), ...flags]) {
    command.addOption(flag instanceof Option ? flag : optionOf(flag));
  }
  withExamples(command, ...examples);
  command.action(async (...args: unknown[]) => {
    // commander passes the arguments, then the flags, then the command.
    const words = args.slice(0, -2).flat() as string[];
    await runOperation(operation, needs, args.at(-2) as ResourceFlags, words);
  });
}

function optionOf([flags, about, parse]: Exclude<Flag, Option>): Option {
  const option = new Option(flags, about);
  return parse === undefined ? option : option.argParser(parse as (text: string, before: unknown) => unknown);
}

async function runOperation(
  operation: Operation,
  needs: Needs,
  flags: ResourceFlags,
  words: readonly string[],
): Promise<void> {
  const [{ withService }, { writeList }] = await Promise.all([
    import('../../settings/service.ts'),
    import('../../output/row-writer.ts'),
  ]);
  const write: Call['write'] = (rows, columns) => writeList(rows, columns, flags);
  const note = (message: string): void => {
    if (flags.quiet !== true) writeNote(`logclient: ${message}`);
  };
  await withService(flags, needs, async ({ client, signal }) => {
    const what = operation.deletes?.(words[0]!, client);
    if (what !== undefined) await confirmDeletion(what, flags.yes === true, signal);
    try {
      const result = await operation.run({ client, signal, flags, write, note }, ...words);
      if (typeof result === 'string') note(result);
      else if (result !== undefined) await write(result, operation.columns!);
    } catch (error) {
      if (!(error instanceof MissingFailure && flags.ifMissing === 'ok'))
        throw named(error, operation, flags);
      note(error.message);
    }
  });
}

/** The failure if the name is in use. With a policy other than `error`, it belongs to something else. */
function named(error: unknown, { ifTaken = '' }: Operation, { ifExists = 'error' }: ResourceFlags): unknown {
  if (!(error instanceof LogException && error.code === 'LOG_EXISTS')) return error;
  return existsFailure(error.message, ifExists === 'error' ? ifTaken : '');
}
