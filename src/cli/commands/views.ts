import type { SearchDomainDetails, ViewConnection } from '../../wire/repositories.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { withExamples } from '../examples.ts';
import { viewConnection } from '../flag-values.ts';
import type { Service } from '../service.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'description'];
const CONNECTION_COLUMNS = ['repository', 'filter'];

interface ConnectionFlags extends ResourceFlags {
  readonly connection?: readonly ViewConnection[];
}

interface CreateFlags extends ConnectionFlags {
  readonly description?: string;
}

interface DeleteFlags extends ResourceFlags {
  readonly reason?: string;
}

const CONNECTION_USAGE = '--connection <repository[=filter]>';
const CONNECTION_MEANING =
  'A repository that it shows, and the query that its events have to match. Can be repeated. Default filter: *, all of them.';

/** `logclient views`: the events of repositories under another name. */
export const viewsCommand: ResourceCommand = {
  name: 'views',
  description: 'List, create, change and delete views, which show events of repositories.',
  needs: { repository: false },
  define(views) {
    withExamples(
      views.command('list', 'All views that the token may see.', async ({ service, flags, write }) => {
        const all = await service.client.listSearchDomains({ signal: service.signal });
        const rows = all
          .filter(({ kind }) => kind === 'View')
          .map(({ name, description }) => ({ name, description: description ?? '' }));
        await write(rows, COLUMNS, flags);
      }),
      ['logclient views list', 'what is there?'],
    );
    withExamples(
      views.command(
        'show <name>',
        'What a view shows: a row for each repository.',
        async ({ service, flags, write }, name) => {
          await write(connectionRows(await knownView(service, name)), CONNECTION_COLUMNS, flags);
        },
      ),
      ['logclient views show shop-errors', 'its repositories and filters'],
    );
    addChanges(views);
    withExamples(
      views
        .deletion<DeleteFlags>(
          'delete <name>',
          'Delete a view. The events stay in their repositories.',
          (name) => `the view "${name}"`,
          async ({ service, flags, note }, name) => {
            // The same call would delete a repository with all its events.
            await knownView(service, name);
            await service.client.deleteSearchDomain(name, {
              deleteMessage: flags.reason,
              signal: service.signal,
            });
            note(`deleted the view ${name}.`);
          },
        )
        .option('--reason <text>', "Why, for the service's audit log."),
      ['logclient views delete old-view --yes', 'delete without being asked'],
    );
  },
};

function addChanges(views: Resource): void {
  withExamples(
    views
      .command<CreateFlags>('create <name>', 'Create a view.', async ({ service, flags, write }, name) => {
        const { description } = flags;
        await service.client.createView(name, connectionsOf(flags), {
          description,
          signal: service.signal,
        });
        await write(connectionRows(await knownView(service, name)), CONNECTION_COLUMNS, flags);
      })
      .option(CONNECTION_USAGE, CONNECTION_MEANING, viewConnection)
      .option('--description <text>', 'What it is for.'),
    ["logclient views create slow --connection 'sandbox=ms > 500'", 'some events of a repository'],
  );
  withExamples(
    views
      .command<ConnectionFlags>(
        'update <name>',
        'Let a view show these repositories, and no others, from now on.',
        async ({ service, flags, write }, name) => {
          await service.client.updateView(name, connectionsOf(flags), { signal: service.signal });
          await write(connectionRows(await knownView(service, name)), CONNECTION_COLUMNS, flags);
        },
      )
      .option(CONNECTION_USAGE, CONNECTION_MEANING, viewConnection),
    [
      "logclient views update shop-errors --connection 'sandbox=level=error or level=fatal'",
      'another filter',
    ],
  );
  withExamples(
    views.command(
      'describe <name> <text>',
      'Set what a view is for.',
      async ({ service, note }, name, text) => {
        await knownView(service, name);
        await service.client.updateDescription(name, text!, { signal: service.signal });
        note(`described ${name}.`);
      },
    ),
    ["logclient views describe shop-errors 'what goes wrong in the shop'", 'for people'],
  );
}

function connectionsOf({ connection }: ConnectionFlags): readonly ViewConnection[] {
  if (connection !== undefined) return connection;
  throw usageFailure(
    "a view shows repositories: pass --connection <repository>, or --connection '<repository>=<filter>'.",
  );
}

async function knownView({ client, signal }: Service, name: string): Promise<SearchDomainDetails> {
  const domain = await client.getSearchDomain(name, { signal });
  if (domain.kind === 'View') return domain;
  throw new CommandFailure(`"${name}" is a repository and no view. See "logclient repositories --help".`);
}

function connectionRows({ connections }: SearchDomainDetails): { repository: string; filter: string }[] {
  return connections.map(({ repositoryName: repository, filter }) => ({ repository, filter }));
}
