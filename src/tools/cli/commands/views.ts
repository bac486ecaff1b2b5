import type { SearchDomainDetails, ViewConnection } from '../../../core/wire/repositories.ts';
import { CommandFailure, existing, usageFailure } from '../../output/command-failure.ts';
import { viewConnection } from '../../output/flag-values.ts';
import type { Service } from '../../settings/service.ts';
import { withExamples } from '../examples.ts';
import { created, IF_EXISTS_HINT, type IfExistsFlags, ifExistsOption } from './if-exists.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'description'];
const CONNECTION_COLUMNS = ['repository', 'filter'];

interface ConnectionFlags extends ResourceFlags {
  readonly connection?: readonly ViewConnection[];
}

interface CreateFlags extends ConnectionFlags, IfExistsFlags {
  readonly description?: string;
}

interface DeleteFlags extends ResourceFlags {
  readonly reason?: string;
}

const CONNECTION_USAGE = '--connection <repository[=filter]>';
const CONNECTION_MEANING =
  'Repository to include, and an optional query that filters its events. Default filter: * (all events). Repeatable.';

/** `logclient views`: named selections of events from repositories. */
export const viewsCommand: ResourceCommand = {
  name: 'views',
  description: 'Manage views.',
  needs: { repository: false },
  define(views) {
    withExamples(
      views.command(
        'list',
        'List the views that the token can access.',
        async ({ service, flags, write }) => {
          const all = await service.client.listSearchDomains({ signal: service.signal });
          const rows = all
            .filter(({ kind }) => kind === 'View')
            .map(({ name, description }) => ({ name, description }));
          await write(rows, COLUMNS, flags);
        },
      ),
      ['logclient views list', 'list all views'],
    );
    withExamples(
      views.command(
        'show <name>',
        'Show the repositories and filters of a view.',
        async ({ service, flags, write }, name) => {
          await write(connectionRows(await knownView(service, name)), CONNECTION_COLUMNS, flags);
        },
      ),
      ['logclient views show shop-errors', 'show one view'],
    );
    addChanges(views);
    withExamples(
      views
        .deletion<DeleteFlags>(
          'delete <name>',
          'Delete a view. Its repositories keep their events.',
          (name) => `the view "${name}"`,
          async ({ service, flags, note }, name) => {
            // The same call deletes repositories, with all their events.
            await knownView(service, name);
            await service.client.deleteSearchDomain(name, {
              deleteMessage: flags.reason,
              signal: service.signal,
            });
            note(`deleted the view ${name}.`);
          },
        )
        .option('--reason <text>', "Reason to record in the service's audit log."),
      ['logclient views delete old-view --yes', 'delete without a confirmation prompt'],
    );
  },
};

function addChanges(views: Resource): void {
  withExamples(
    views
      .command<CreateFlags>('create <name>', 'Create a view.', async ({ service, flags, write }, name) => {
        const { description, ifExists } = flags;
        const options = { description, ifExists, signal: service.signal };
        await created(service.client.createView(name, connectionsOf(flags), options), IF_EXISTS_HINT);
        await write(connectionRows(await knownView(service, name)), CONNECTION_COLUMNS, flags);
      })
      .option(CONNECTION_USAGE, CONNECTION_MEANING, viewConnection)
      .option('--description <text>', 'Description of the view.')
      .addOption(ifExistsOption()),
    [
      "logclient views create slow --connection 'sandbox=ms > 500'",
      'create a view of slow requests in one repository',
    ],
  );
  withExamples(
    views
      .command<ConnectionFlags>(
        'update <name>',
        'Replace the repositories and filters of a view.',
        async ({ service, flags, write }, name) => {
          await service.client.updateView(name, connectionsOf(flags), { signal: service.signal });
          await write(connectionRows(await knownView(service, name)), CONNECTION_COLUMNS, flags);
        },
      )
      .option(CONNECTION_USAGE, CONNECTION_MEANING, viewConnection),
    ["logclient views update shop-errors --connection 'sandbox=level=fatal'", 'change the filter'],
  );
  withExamples(
    views.silent(
      'describe <name> <text>',
      'Set the description of a view.',
      async ({ service, note }, name, text) => {
        await knownView(service, name);
        await service.client.updateDescription(name, text!, { signal: service.signal });
        note(`set the description of ${name}.`);
      },
    ),
    ["logclient views describe shop-errors 'errors in the shop'", 'set the description'],
  );
}

function connectionsOf({ connection }: ConnectionFlags): readonly ViewConnection[] {
  if (connection !== undefined) return connection;
  throw usageFailure(
    "a view needs a repository. Pass --connection <repository>, or --connection '<repository>=<filter>'.",
  );
}

async function knownView({ client, signal }: Service, name: string): Promise<SearchDomainDetails> {
  const found = await client.getSearchDomain(name, { signal });
  const domain = existing(found, `view "${name}"`, 'logclient views list');
  if (domain.kind === 'View') return domain;
  throw new CommandFailure(`"${name}" is a repository, not a view. See "logclient repositories --help".`);
}

function connectionRows({ connections }: SearchDomainDetails): { repository: string; filter: string }[] {
  return connections.map(({ repositoryName: repository, filter }) => ({ repository, filter }));
}
