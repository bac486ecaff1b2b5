import { CommandFailure } from '../../output/command-failure.ts';
import { namedValue } from '../../output/flag-values.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import { writeNote } from '../../output/standard-output.ts';
import { requireQuery } from '../../query/query-flags.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import type { CommandRow } from '../command.ts';

interface ValidateFlags extends ConnectionFlags, OutputFlags {
  readonly file?: string;
  readonly live?: boolean;
  readonly param?: Readonly<Record<string, string>>;
}

const COLUMNS = ['severity', 'code', 'message'];

export const VALIDATE: CommandRow<ValidateFlags> = {
  usage: 'validate [query]',
  about: 'Check a query without running it. Asks the service. Exits with status 1 if the query is invalid.',
  args: ['Query to check.'],
  flags: [
    ['-f, --file <path>', 'Read the query from a file ("-" for stdin).'],
    ['--live', 'Check the query as a live query.'],
    ['--param <name=value>', 'Value for the ?name parameter in the query. Repeatable.', namedValue],
  ],
  output: 'list',
  connects: true,
  examples: [
    ["logclient validate 'level=error | groupBy(#service)'", 'check a query'],
    ['logclient validate -f parser.lql', 'check a query in a file, for example in CI'],
  ],
  async run(flags, text: string | undefined) {
    const [{ queryText, refuseFile }, { withService }, { RowWriter, writeRows }] = await Promise.all([
      import('../../query/query-input.ts'),
      import('../../settings/service.ts'),
      import('../../output/row-writer.ts'),
    ]);
    requireQuery(text, flags);
    refuseFile(text, (path) => `To check the query in it, pass --file ${path}.`);
    const queryString = await queryText(text, flags);
    await withService(flags, { repository: false }, async ({ client, signal }) => {
      const { isValid, diagnostics } = await client.validateQuery(queryString, {
        isLive: flags.live === true,
        arguments: flags.param,
        signal,
      });
      const rows = diagnostics.map(({ severity, code, message }) => ({ severity, code, message }));
      // On a terminal, show the message itself: it points at a position in the query and spans several lines.
      const isShort = !new RowWriter(flags).isForPeople;
      if (isShort) await writeRows(rows, COLUMNS, flags);
      const messages = isShort ? '' : rows.map(({ message }) => message).join('\n');
      if (!isValid) throw new CommandFailure(`the query is invalid. ${messages}`.trim());
      if (flags.quiet !== true) writeNote(`logclient: the query is valid. ${messages}`.trim());
    });
  },
};
