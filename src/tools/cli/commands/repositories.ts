import type { Repository } from '../../../core/wire/repositories.ts';
import { existing } from '../../output/command-failure.ts';
import type { Service } from '../../settings/service.ts';
import { withExamples } from '../examples.ts';
import { created, type IfExistsFlags, ifExistsOption } from './if-exists.ts';
import type { Resource, ResourceCommand, ResourceFlags } from './resource.ts';
import {
  addRetentionCommand,
  addRetentionFlags,
  confirmLimits,
  knownRepository,
  limitsOf,
  type RetentionFlags,
  retentionRow,
} from './retention.ts';

const COLUMNS = ['name', 'description', 'id'];

interface CreateFlags extends RetentionFlags, IfExistsFlags {
  readonly description?: string;
}

interface DeleteFlags extends ResourceFlags {
  readonly reason?: string;
}

/** `logclient repositories`: repositories and their retention. */
export const repositoriesCommand: ResourceCommand = {
  name: 'repositories',
  description: 'Manage repositories.',
  needs: {
    repository: false,
  },
  define(repositories) {
    addList(repositories);
    addShow(repositories);
    addCreate(repositories);
    addRetentionCommand(repositories);
    addDescribe(repositories);
    addDelete(repositories);
  },
};

function addList(repositories: Resource): void {
  withExamples(
    repositories.command(
      'list',
      'List the repositories that the token can access.',
      async ({ service, flags, write }) => {
        const all = await service.client.listRepositories({ signal: service.signal });
        const rows = all.map(({ id, name, description }) => ({ name, description: description ?? null, id }));
        await write(rows, COLUMNS, flags);
      },
    ),
    ['logclient repositories list', 'list all repositories'],
  );
}

function addShow(repositories: Resource): void {
  withExamples(
    repositories.command(
      'show <name>',
      'Show a repository, including its size and retention.',
      async ({ service, flags, write }, name) => {
        const details = await knownRepository(service, name);
        const { id, description, compressedByteSize: bytes } = details;
        const row = { name, description: description ?? null, id, bytes, ...retentionRow(details) };
        await write([row], Object.keys(row), flags);
      },
    ),
    ['logclient repositories show sandbox', 'show one repository'],
  );
}

function addCreate(repositories: Resource): void {
  withExamples(
    addRetentionFlags(
      repositories
        .command<CreateFlags>(
          'create <name>',
          'Create a repository.',
          async ({ service, flags, write }, name) => {
            const { description, id, ...made } = await createRepository(service, flags, name);
            await write([{ name: made.name, description: description ?? null, id }], COLUMNS, flags);
          },
        )
        .option('--description <text>', 'Description of the repository.')
        .option('-y, --yes', 'Skip the confirmation prompt of an update that deletes events.'),
    ).addOption(ifExistsOption()),
    [
      "logclient repositories create web --description 'access logs' --days 30",
      'create a repository that keeps events for 30 days',
    ],
    ['logclient repositories create web --if-exists keep', 'create a repository unless it exists'],
  );
}

/** Asks for confirmation before an update deletes events. */
async function createRepository(service: Service, flags: CreateFlags, name: string): Promise<Repository> {
  const { client, signal } = service;
  const { description, ifExists } = flags;
  const limits = limitsOf(flags);
  if (ifExists === 'update' && Object.keys(limits).length > 0) {
    const before = await client.getRepository(name, { signal });
    if (before !== undefined) await confirmLimits(service, flags, limits, before);
  }
  return created(client.createRepository(name, { description, ...limits, ifExists, signal }), ifExists);
}

function addDescribe(repositories: Resource): void {
  withExamples(
    repositories.silent(
      'describe <name> <text>',
      'Set the description of a repository.',
      async ({ service, note }, name, text) => {
        await service.client.updateDescription(name, text!, { signal: service.signal });
        note(`set the description of ${name}.`);
      },
    ),
    ["logclient repositories describe sandbox 'for experiments'", 'set the description'],
  );
}

function addDelete(repositories: Resource): void {
  withExamples(
    repositories
      .deletion<DeleteFlags>(
        'delete <name>',
        'Delete a repository and all its events.',
        (name) => `"${name}" with all events in it`,
        async ({ service, flags, note }, name) => {
          const deleted = await service.client.deleteSearchDomain(name, {
            deleteMessage: flags.reason,
            signal: service.signal,
          });
          existing(deleted, `repository or view "${name}"`, 'logclient repositories list');
          note(`deleted ${name}.`);
        },
      )
      .option('--reason <text>', "Reason to record in the service's audit log."),
    ['logclient repositories delete old-web --yes', 'delete without a confirmation prompt'],
  );
}
