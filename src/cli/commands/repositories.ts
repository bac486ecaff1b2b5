import { withExamples } from '../examples.ts';
import type { ResourceCommand, ResourceFlags } from './resource.ts';
import {
  addRetentionCommand,
  addRetentionFlags,
  limitsOf,
  type RetentionFlags,
  retentionRow,
} from './retention.ts';

const COLUMNS = ['name', 'description', 'id'];

interface CreateFlags extends RetentionFlags {
  readonly description?: string;
}

interface DeleteFlags extends ResourceFlags {
  readonly reason?: string;
}

/** `logclient repositories`: where events are kept. */
export const repositoriesCommand: ResourceCommand = {
  name: 'repositories',
  description: 'List, create, change and delete repositories.',
  needs: {
    repository: false,
  },
  define(repositories) {
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
      repositories.command(
        'show <name>',
        'All about one repository.',
        async ({ service, flags, write }, name) => {
          const details = await service.client.getRepository(name, { signal: service.signal });
          const { id, description, compressedByteSize: bytes } = details;
          const row = { name, description: description ?? '', id, bytes, ...retentionRow(details) };
          await write([row], Object.keys(row), flags);
        },
      ),
      ['logclient repositories show sandbox', 'its size, and how long it keeps events'],
    );
    withExamples(
      addRetentionFlags(
        repositories
          .command<CreateFlags>(
            'create <name>',
            'Create a repository.',
            async ({ service, flags, write }, name) => {
              const { description, id, ...made } = await service.client.createRepository(name, {
                description: flags.description,
                ...limitsOf(flags),
                signal: service.signal,
              });
              await write([{ name: made.name, description: description ?? '', id }], COLUMNS, flags);
            },
          )
          .option('--description <text>', 'What it is for.'),
      ),
      ["logclient repositories create web --description 'access logs' --days 30", 'a new one'],
    );
    addRetentionCommand(repositories);
    withExamples(
      repositories.command(
        'describe <name> <text>',
        'Set what a repository is for.',
        async ({ service, note }, name, text) => {
          await service.client.updateDescription(name, text!, { signal: service.signal });
          note(`described ${name}.`);
        },
      ),
      ["logclient repositories describe sandbox 'to play with'", 'for people'],
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
  },
};
