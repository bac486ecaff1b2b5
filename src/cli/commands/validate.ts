import type { Command } from 'commander';
import { queryText } from '../asking/query-text.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { withExamples } from '../examples.ts';
import { withoutFences } from '../failure.ts';
import { namedValue } from '../flag-values.ts';
import { addOutputFlags, type OutputFlags } from '../output/output-flags.ts';
import { writeNote } from '../output/standard-output.ts';
import { addConnectionFlags, type ConnectionFlags } from '../settings/connection-flags.ts';

interface ValidateFlags extends ConnectionFlags, OutputFlags {
  readonly file?: string;
  readonly live?: boolean;
  readonly param?: Readonly<Record<string, string>>;
}

const COLUMNS = ['severity', 'code', 'message'];

/** `logclient validate`: can the service run a query? */
export function addValidateCommand(program: Command): void {
  const command = program
    .command('validate')
    .description('Ask the service whether it can run a query, without running it. Ends with 1 if not.')
    .argument('[query]', 'The text of the query.')
    .option('-f, --file <path>', 'Read the query from a file, "-" for stdin.')
    .option('--live', 'Can it run as a live query?')
    .option('--param <name=value>', 'A value for ?name in the query. Can be repeated.', namedValue);
  withExamples(
    command,
    ["logclient validate 'level=error | groupBy(#service)'", 'is it right?'],
    ['logclient validate -f parser.lql', 'the query in a file, as a check in CI'],
  );
  addOutputFlags(command);
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(validate);
}

async function validate(text: string | undefined, flags: ValidateFlags): Promise<void> {
  const [{ withService }, { writeList }] = await Promise.all([
    import('../service.ts'),
    import('../output/row-writer.ts'),
  ]);
  if (text === undefined && flags.file === undefined) {
    throw usageFailure('there is no query. Write it behind the command, or pass --file <path>.');
  }
  const queryString = await queryText(text, flags);
  await withService(flags, { repository: false }, async ({ client, signal }) => {
    const { isValid, diagnostics } = await client.validateQuery(queryString, {
      isLive: flags.live === true,
      arguments: flags.param,
      signal,
    });
    const rows = diagnostics.map(({ severity, code, message }) => ({ severity, code, message }));
    // People get the message itself, for it points at a place in the query; a table would put it on one line.
    if (!isForPeople(flags)) await writeList(rows, COLUMNS, flags);
    const messages = rows.map(({ message }) => withoutFences(message)).join('\n');
    if (!isValid) throw new CommandFailure(`the query can't be run. ${messages}`.trim());
    if (flags.quiet !== true) writeNote(`logclient: the query can be run. ${messages}`.trim());
  });
}

function isForPeople({ output, json, template }: OutputFlags): boolean {
  return process.stdout.isTTY === true && output === undefined && json !== true && template === undefined;
}
