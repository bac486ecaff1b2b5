import { Option } from 'commander';
import { LogException } from '../../../core/errors.ts';
import type { ViewConnection } from '../../../core/wire/repositories.ts';
import type { IfExists, LogClient } from '../../../index.ts';
import { CommandFailure, existsFailure, MissingFailure, usageFailure } from '../../output/command-failure.ts';
import type { Flag } from '../../output/flag.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import type { Row } from '../../output/row-format.ts';
import { writeNote } from '../../output/standard-output.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import type { Needs, Service } from '../../settings/service.ts';
import { isInteractive, readAnswer } from '../auth/prompt.ts';
import type { CommandRow } from '../command.ts';

/** The flags of all operations. Each has some of them. */
export interface ResourceFlags extends ConnectionFlags, OutputFlags {
  readonly yes?: boolean;
  readonly ifExists?: IfExists;
  readonly ifMissing?: 'error' | 'ok';
  readonly name?: string;
  readonly description?: string;
  /** For the audit log of the service. */
  readonly reason?: string;
  // Files.
  readonly out?: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly filter?: string;
  // Saved queries.
  readonly start?: string;
  readonly end?: string;
  readonly query?: string;
  // Tokens and parsers.
  readonly showTokens?: boolean;
  readonly parser?: string;
  readonly tagFields?: readonly string[];
  readonly dropFields?: readonly string[];
  readonly script?: string;
  // Users.
  readonly root?: boolean;
  readonly email?: string;
  readonly username?: string;
  readonly fullName?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly company?: string;
  // Repositories and views.
  readonly days?: number | 'none';
  readonly ingestGib?: number | 'none';
  readonly storageGib?: number | 'none';
  readonly connection?: readonly ViewConnection[];
}

/** A call of an operation. */
export interface Call<Flags = ResourceFlags> extends Service {
  readonly flags: Flags;
  /** Writes rows to stdout. */
  write(rows: readonly Row[], columns: readonly string[]): Promise<void>;
  /** Reports on stderr what was done. */
  note(message: string): void;
}

/** An operation on a resource, which is a subcommand. */
export interface Operation<Flags = ResourceFlags>
  extends Pick<CommandRow, 'usage' | 'about' | 'flags' | 'examples'> {
  /** The members to show of what {@link run} returns. Without them, the operation prints no rows. */
  readonly columns?: readonly string[];
  /** What the operation deletes, for the question before it. */
  readonly deletes?: (name: string, client: LogClient) => string;
  /** Calls the service. Returns what to show, a row each, or what was done, for stderr. */
  run(call: Call<Flags>, ...words: string[]): Promise<readonly object[] | string | undefined>;
}

/** A kind of resource, such as users, and its subcommands. */
export interface Resource<Flags = ResourceFlags> {
  readonly name: string;
  readonly about: string;
  readonly needs?: Needs;
  /** Its operations; those that don't call the service as commands. */
  readonly operations: readonly (Operation<Flags> | { readonly local: CommandRow })[];
}

/** The flag of operations that create something. */
export const IF_EXISTS = new Option(
  '--if-exists <policy>',
  'What to do if the name is in use: fail with exit status 3, keep what exists, or update it with the given flags. Prints the same row as for a new one. Default: error.',
).choices(['error', 'keep', 'update'] satisfies IfExists[]);
const IF_EXISTS_HINT = 'To keep or update it, pass --if-exists keep or --if-exists update.';

export const YES: Flag = ['-y, --yes', 'Skip the confirmation prompt.'];

const DELETION_FLAGS: readonly Flag[] = [
  YES,
  new Option(
    '--if-missing <policy>',
    'What to do if there is nothing to delete: fail with exit status 1 (error), or succeed (ok). Default: error.',
  ).choices(['error', 'ok']),
];

/** @throws CommandFailure if no flag sets any of the changes. */
export function requireChanges(changes: object, flags: string): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  throw usageFailure(`nothing to change. Pass ${flags}.`);
}

/**
 * Asks before deleting something permanently. `--yes` skips the question; without a terminal it is required.
 *
 * @param what the object of the question: `the file "hosts.csv" in the repository "sandbox"`.
 * @throws CommandFailure if the user does not confirm.
 */
export async function confirmDeletion(
  what: string,
  { client, flags, signal }: Pick<Call, 'client' | 'flags' | 'signal'>,
): Promise<void> {
  if (flags.yes === true) return;
  const object = `${what} at ${client.baseUrl.replace(/\/$/, '')}`;
  if (!isInteractive()) throw usageFailure(`this deletes ${object}. Pass --yes to confirm.`);
  const answer = await readAnswer(`Delete ${object}? [y/N] `, signal, process.stderr);
  if (!/^y(es)?$/i.test(answer)) throw new CommandFailure('canceled; nothing was deleted.');
}

/** Deletes what a repository has. @param noun such as `parser` @param example name for the example */
export function deletion<Flags>(
  list: string,
  noun: string,
  example: string,
  run: (call: Call<Flags>, name: string) => Promise<unknown>,
): Operation<Flags> {
  return {
    usage: 'delete <name>',
    about: `Delete a ${noun}.`,
    examples: [[`logclient ${list} delete ${example} --yes`, 'delete without a confirmation prompt']],
    deletes: (name, { repository }) => `the ${noun} "${name}" in the repository "${repository}"`,
    async run(call, name) {
      await run(call, name);
      return `deleted the ${noun} ${name}.`;
    },
  };
}

/** The subcommands of a resource. They have hundreds of flags: add them only if the command line names it. */
export function operationsOf({ needs = {}, operations }: Resource): readonly CommandRow[] {
  return operations.map((operation) =>
    'local' in operation ? operation.local : commandOf(operation, needs),
  );
}

/** An operation as a command. */
export function commandOf(operation: Operation, needs: Needs): CommandRow<ResourceFlags> {
  const { columns, deletes, flags = [], ...row } = operation;
  return {
    ...row,
    flags: [...(deletes === undefined ? [] : DELETION_FLAGS), ...flags],
    output: columns === undefined ? 'note' : 'list',
    connects: true,
    run: (given, ...words: (string | string[])[]) => runOperation(operation, needs, given, words.flat()),
  };
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
  const { columns = [] } = operation;
  const rowOf = (found: object): Row =>
    Object.fromEntries(columns.map((name) => [name, (found as Row)[name] ?? null]));
  const write: Call['write'] = (rows, columns) => writeList(rows, columns, flags);
  const note = (message: string): void => {
    if (flags.quiet !== true) writeNote(`logclient: ${message}`);
  };
  await withService(flags, needs, async (service) => {
    const what = operation.deletes?.(words[0]!, service.client);
    if (what !== undefined) await confirmDeletion(what, { ...service, flags });
    try {
      const result = await operation.run({ ...service, flags, write, note }, ...words);
      if (typeof result === 'string') note(result);
      else if (result !== undefined) await write(result.map(rowOf), columns);
    } catch (error) {
      if (error instanceof MissingFailure && flags.ifMissing === 'ok') return;
      if (!(error instanceof LogException && error.code === 'LOG_EXISTS')) throw error;
      const hint = operation.flags?.includes(IF_EXISTS) ? IF_EXISTS_HINT : '';
      const advice = error.message.includes('built-in') ? 'Choose another name.' : hint;
      // With another policy, the name belongs to something else.
      throw existsFailure(error.message, (flags.ifExists ?? 'error') === 'error' ? advice : '');
    }
  });
}
