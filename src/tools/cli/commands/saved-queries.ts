import type { SavedQuery } from '../../../core/wire/saved-queries.ts';
import { CommandFailure, existing } from '../../output/command-failure.ts';
import type { Flag } from '../../output/flag.ts';
import { pointInTime, timeAt } from '../../output/flag-values.ts';
import { type Call, deletion, IF_EXISTS, type Resource, requireChanges } from './resource.ts';

const COLUMNS = ['name', 'query', 'start', 'end', 'description', 'id'];

const PROPERTIES: readonly Flag[] = [
  ['--description <text>', 'Description of the saved query.'],
  [
    '--start <time>',
    'Start of the time range, as in --since of "query". Default for a new query: 24hours.',
    savedTime,
  ],
  ['--end <time>', 'End of the time range. Default for a new query: now.', savedTime],
];

function savedTime(text: string): string {
  return String(timeAt(pointInTime(text)));
}

export const SAVED_QUERIES: Resource = {
  name: 'saved-queries',
  about: 'Manage saved queries.',
  operations: [
    {
      usage: 'list',
      about: 'List the saved queries in the repository.',
      examples: [['logclient saved-queries list', 'list all saved queries']],
      columns: COLUMNS,
      run: async ({ client, signal }) => (await client.listSavedQueries({ signal })).map(rowOf),
    },
    {
      usage: 'show <name>',
      about: 'Show a saved query.',
      examples: [
        [
          "logclient saved-queries show errors -o template --template '{query}'",
          'print only the query string',
        ],
      ],
      columns: COLUMNS,
      run: async (call, name) => [rowOf(await savedQuery(call, name))],
    },
    {
      usage: 'create <name> <query>',
      about: 'Save a query. Exits with status 1 if it is invalid; the service saves it anyway.',
      flags: [IF_EXISTS, ...PROPERTIES],
      examples: [
        [
          "logclient saved-queries create slow 'ms > 500' --start 7d",
          "save a query; run it with logclient query '$slow()'",
        ],
      ],
      columns: COLUMNS,
      async run(call, name, query) {
        const { client, signal, flags } = call;
        const { description, start, end, ifExists } = flags;
        const options = { description, start, end, ifExists, signal };
        return show(call, await client.createSavedQuery(name, query, options));
      },
    },
    {
      usage: 'update <name>',
      about:
        "Update a saved query. Fields that you don't set stay the same. Exits with status 1 if the saved query is invalid.",
      flags: [['--name <name>', 'New name.'], ['--query <text>', 'New query.'], ...PROPERTIES],
      examples: [
        ["logclient saved-queries update errors --query 'level=error or level=fatal'", 'replace the query'],
      ],
      columns: COLUMNS,
      async run(call, oldName) {
        const { client, signal, flags } = call;
        const { description, start, end, query: queryString, name } = flags;
        const changes = { name, queryString, description, start, end };
        requireChanges(changes, '--name, --query, --description, --start or --end');
        const { id } = await savedQuery(call, oldName);
        return show(call, await client.updateSavedQuery(id, { ...changes, signal }));
      },
    },
    deletion('saved-queries', 'saved query', 'errors', async (call, name) => {
      const { id } = await savedQuery(call, name);
      await call.client.deleteSavedQuery(id, { signal: call.signal });
    }),
  ],
};

/** Writes a saved query. @throws CommandFailure if it is invalid, because the service saves any text */
async function show({ write }: Call, saved: SavedQuery): Promise<undefined> {
  await write([rowOf(saved)], COLUMNS);
  const { queryString } = saved.query;
  const { positionAt } = await import('../../../language/index.ts');
  const { firstError } = await import('../../lint/query-problems.ts');
  const problem = firstError(queryString);
  if (problem === undefined) return undefined;
  const { line, column } = positionAt(queryString, problem.span.start);
  throw new CommandFailure(
    `${saved.name} is saved, but invalid. ${problem.message.replace(/\.$/, '')} (line ${line}, column ${column}).`,
  );
}

/** Finds a saved query by name, or by ID. */
async function savedQuery({ client, signal }: Call, name: string): Promise<SavedQuery> {
  const query = await client.getSavedQuery(name, { signal });
  return existing(query, `saved query "${name}"`, 'saved-queries', client.repository);
}

function rowOf({ id, name, description, query: { queryString: query, start, end } }: SavedQuery) {
  return { name, query, start, end, description, id };
}
