import type { Command } from 'commander';
import type { SavedQuery } from '../../../core/wire/saved-queries.ts';
import { CommandFailure } from '../../output/command-failure.ts';
import type { Row } from '../../output/row-format.ts';
import type { Service } from '../../settings/service.ts';
import { withExamples } from '../examples.ts';
import { created, type IfExistsFlags, ifExistsOption } from './if-exists.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'query', 'start', 'end', 'description', 'id'];

interface SavedQueryFlags extends ResourceFlags {
  readonly description?: string;
  readonly start?: string;
  readonly end?: string;
}

interface CreateFlags extends SavedQueryFlags, IfExistsFlags {}

interface UpdateFlags extends SavedQueryFlags {
  readonly name?: string;
  readonly query?: string;
}

/** `logclient saved-queries`: named queries on the service. */
export const savedQueriesCommand: ResourceCommand = {
  name: 'saved-queries',
  description: 'Manage saved queries.',
  define(saved) {
    addList(saved);
    addShow(saved);
    addCreate(saved);
    addUpdate(saved);
    addDelete(saved);
  },
};

function addList(saved: Resource): void {
  withExamples(
    saved.command('list', 'List the saved queries in the repository.', async ({ service, flags, write }) => {
      const all = await service.client.listSavedQueries({ signal: service.signal });
      await write(all.map(rowOf), COLUMNS, flags);
    }),
    ['logclient saved-queries list', 'list all saved queries'],
  );
}

function addShow(saved: Resource): void {
  withExamples(
    saved.command('show <name>', 'Show a saved query.', async ({ service, flags, write }, name) => {
      await write([rowOf(await savedQuery(service, name))], COLUMNS, flags);
    }),
    ["logclient saved-queries show errors -o template --template '{query}'", 'print only the query string'],
  );
}

function addCreate(saved: Resource): void {
  withExamples(
    withQueryFlags(
      saved
        .command<CreateFlags>(
          'create <name> <query>',
          'Save a query. Warns if it is invalid.',
          async ({ service: { client, signal }, flags, write, note }, name, query = '') => {
            const { description, start, end, ifExists } = flags;
            const options = { description, start, end, ifExists, signal };
            const saved = await created(client.createSavedQuery(name, query, options), ifExists);
            await write([rowOf(saved)], COLUMNS, flags);
            await warnIfInvalid(saved, note);
          },
        )
        .addOption(ifExistsOption()),
    ),
    [
      "logclient saved-queries create slow 'ms > 500' --start 7d",
      "save a query; run it with logclient query '$slow()'",
    ],
  );
}

function addUpdate(saved: Resource): void {
  withExamples(
    withQueryFlags(
      saved
        .command<UpdateFlags>(
          'update <name>',
          "Update a saved query. Fields that you don't set stay the same. Warns if the query is invalid.",
          async ({ service, flags, write, note }, name) => {
            const { description, start, end, query: queryString, name: newName } = flags;
            const { id } = await savedQuery(service, name);
            const updated = await service.client.updateSavedQuery(id, {
              ...(newName === undefined ? {} : { name: newName }),
              ...(queryString === undefined ? {} : { queryString }),
              description,
              start,
              end,
              signal: service.signal,
            });
            await write([rowOf(updated)], COLUMNS, flags);
            await warnIfInvalid(updated, note);
          },
        )
        .option('--name <name>', 'New name.')
        .option('--query <text>', 'New query.'),
    ),
    ["logclient saved-queries update errors --query 'level=error or level=fatal'", 'replace the query'],
  );
}

function addDelete(saved: Resource): void {
  withExamples(
    saved.deletion(
      'delete <name>',
      'Delete a saved query.',
      (name, { client }) => `the saved query "${name}" in the repository "${client.repository}"`,
      async ({ service, note }, name) => {
        const { id } = await savedQuery(service, name);
        await service.client.deleteSavedQuery(id, { signal: service.signal });
        note(`deleted the saved query ${name}.`);
      },
    ),
    ['logclient saved-queries delete errors --yes', 'delete without a confirmation prompt'],
  );
}

function withQueryFlags(command: Command): Command {
  return command
    .option('--description <text>', 'Description of the saved query.')
    .option('--start <time>', 'Start of the time range, relative to now. Default for a new query: 24hours.')
    .option('--end <time>', 'End of the time range. Default for a new query: now.');
}

/** The service saves any text. */
async function warnIfInvalid(
  { name, query: { queryString } }: SavedQuery,
  note: (message: string) => void,
): Promise<void> {
  const { positionAt } = await import('../../../language/index.ts');
  const { queryProblems } = await import('../../lint/query-problems.ts');
  for (const { severity, message, span } of queryProblems(queryString)) {
    if (severity !== 'error') continue;
    const { line, column } = positionAt(queryString, span.start);
    const problem = `${message.replace(/\.$/, '')} (line ${line}, column ${column}).`;
    note(`warning: the saved query ${name} is invalid. ${problem}`);
  }
}

/** Finds a saved query by name, or by ID. */
async function savedQuery({ client, signal }: Service, name: string): Promise<SavedQuery> {
  const all = await client.listSavedQueries({ signal });
  const query = all.find((each) => each.name === name) ?? all.find((each) => each.id === name);
  if (query !== undefined) return query;
  throw new CommandFailure(
    `the repository "${client.repository}" has no saved query "${name}". "logclient saved-queries list" shows its saved queries.`,
  );
}

function rowOf({ id, name, description, query }: SavedQuery): Row {
  const { queryString, start, end } = query;
  return { name, query: queryString, start, end, description, id };
}
