import type { SearchDomainDetails, ViewConnection } from '../../../core/wire/repositories.ts';
import { CommandFailure, existing, usageFailure } from '../../output/command-failure.ts';
import type { Flag } from '../../output/flag.ts';
import { viewConnection } from '../../output/flag-values.ts';
import { type Call, IF_EXISTS, type Operation, type Resource, type ResourceFlags } from './resource.ts';

const KINDS = {
  Repository: { noun: 'repository', list: 'repositories', loss: 'Delete a repository and all its events.' },
  View: { noun: 'view', list: 'views', loss: 'Delete a view. Its repositories keep their events.' },
};

const CONNECTION_COLUMNS = ['name', 'repository', 'filter'];

const CONNECTION: Flag = [
  '--connection <repository[=filter]>',
  'Repository to include, and an optional query that filters its events. Default filter: * (all events). Repeatable.',
  viewConnection,
];

export const VIEWS: Resource = {
  name: 'views',
  about: 'Manage views.',
  needs: { repository: false },
  operations: [
    {
      usage: 'list',
      about: 'List the views that the token can access.',
      examples: [['logclient views list', 'list all views']],
      columns: ['name', 'description'],
      run: async ({ client, signal }) =>
        (await client.listSearchDomains({ signal })).filter(({ kind }) => kind === 'View'),
    },
    {
      usage: 'show <name>',
      about: 'Show the repositories and filters of a view.',
      examples: [['logclient views show shop-errors', 'show one view']],
      columns: CONNECTION_COLUMNS,
      run: connectionRows,
    },
    {
      usage: 'create <name>',
      about: 'Create a view.',
      flags: [CONNECTION, ['--description <text>', 'Description of the view.'], IF_EXISTS],
      examples: [
        [
          "logclient views create slow --connection 'sandbox=ms > 500'",
          'create a view of slow requests in one repository',
        ],
      ],
      columns: CONNECTION_COLUMNS,
      async run(call, name) {
        const { client, signal, flags } = call;
        const { description, ifExists } = flags;
        await client.createView(name, connectionsOf(flags), { description, ifExists, signal });
        return connectionRows(call, name);
      },
    },
    {
      usage: 'update <name>',
      about: 'Replace the repositories and filters of a view.',
      flags: [CONNECTION],
      examples: [
        ["logclient views update shop-errors --connection 'sandbox=level=fatal'", 'change the filter'],
      ],
      columns: CONNECTION_COLUMNS,
      async run(call, name) {
        await call.client.updateView(name, connectionsOf(call.flags), { signal: call.signal });
        return connectionRows(call, name);
      },
    },
    ...domainOperations('View', 'shop-errors', 'old-view'),
  ],
};

function connectionsOf({ connection }: ResourceFlags): readonly ViewConnection[] {
  if (connection !== undefined) return connection;
  throw usageFailure(
    "a view needs a repository. Pass --connection <repository>, or --connection '<repository>=<filter>'.",
  );
}

/** What is done alike with repositories and views. @param example names for the examples */
export function domainOperations(
  kind: keyof typeof KINDS,
  example: string,
  old: string,
): readonly Operation[] {
  const { noun, list, loss } = KINDS[kind];
  return [
    {
      usage: 'describe <name> <text>',
      about: `Set the description of a ${noun}.`,
      examples: [[`logclient ${list} describe ${example} 'of the shop'`, 'set the description']],
      async run(call, name, text) {
        await knownDomain(call, name, kind);
        await call.client.updateDescription(name, text, { signal: call.signal });
        return `set the description of ${name}.`;
      },
    },
    {
      usage: 'delete <name>',
      about: loss,
      flags: [['--reason <text>', "Reason to record in the service's audit log."]],
      examples: [[`logclient ${list} delete ${old} --yes`, 'delete without a confirmation prompt']],
      deletes: (name) => (kind === 'View' ? `the view "${name}"` : `"${name}" with all events in it`),
      async run(call, name) {
        await knownDomain(call, name, kind);
        const { client, signal, flags } = call;
        await client.deleteSearchDomain(name, { deleteMessage: flags.reason, signal });
        return `deleted the ${noun} ${name}.`;
      },
    },
  ];
}

/** The service describes and deletes both with the same calls. @throws CommandFailure if it is the other kind */
async function knownDomain(
  { client, signal }: Call,
  name: string,
  kind: keyof typeof KINDS,
): Promise<SearchDomainDetails> {
  const { noun, list } = KINDS[kind];
  const found = await client.getSearchDomain(name, { signal });
  const domain = existing(found, `${noun} "${name}"`, list);
  if (domain.kind === kind) return domain;
  const other = kind === 'View' ? 'a repository, not a view' : 'a view, not a repository';
  throw new CommandFailure(`"${name}" is ${other}. "logclient ${list} list" shows what exists.`);
}

async function connectionRows(call: Call, name: string): Promise<readonly object[]> {
  const { connections } = await knownDomain(call, name, 'View');
  return connections.map(({ repositoryName: repository, filter }) => ({ name, repository, filter }));
}
