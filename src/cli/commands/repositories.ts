import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { addResource, type ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'description', 'id'];

interface CreateFlags extends ResourceFlags {
  readonly description?: string;
}

interface DeleteFlags extends ResourceFlags {
  readonly reason?: string;
}

/** `logclient repositories`: where events are kept. */
export function addRepositoriesCommand(program: Command): void {
  const repositories = addResource(program, 'repositories', 'List, create and delete repositories.', {
    repository: false,
  });
  withExamples(
    repositories.command(
      'list',
      'All repositories that the token may see.',
      async ({ service, flags, write }) => {
        const all = await service.client.listRepositories({ signal: service.signal });
        const rows = all.map(({ id, name, description }) => ({ name, description: description ?? '', id }));
        await write(rows, COLUMNS, flags);
      },
    ),
    ['logclient repositories list', 'what is there?'],
  );
  withExamples(
    repositories
      .command<CreateFlags>(
        'create <name>',
        'Create a repository.',
        async ({ service, flags, write }, name) => {
          const { description, id, ...made } = await service.client.createRepository(name, {
            description: flags.description,
            signal: service.signal,
          });
          await write([{ name: made.name, description: description ?? '', id }], COLUMNS, flags);
        },
      )
      .option('--description <text>', 'What it is for.'),
    ["logclient repositories create web --description 'access logs'", 'a new one'],
  );
  withExamples(
    repositories
      .deletion<DeleteFlags>(
        'delete <name>',
        'Delete a repository or a view with everything in it.',
        (name) => `"${name}" with all events in it`,
        async ({ service, flags, note }, name) => {
          await service.client.deleteSearchDomain(name, {
            deleteMessage: flags.reason,
            signal: service.signal,
          });
          note(`deleted ${name}.`);
        },
      )
      .option('--reason <text>', "Why, for the service's audit log."),
    ['logclient repositories delete old-web --yes', 'delete without being asked'],
  );
}
