import type { Repository } from '../../../core/wire/repositories.ts';
import type { Row } from '../../output/row-format.ts';
import { IF_EXISTS, IF_EXISTS_HINT, type Resource } from './resource.ts';
import {
  confirmLimits,
  knownRepository,
  limitsOf,
  RETENTION,
  RETENTION_FLAGS,
  type RetentionFlags,
  retentionRow,
} from './retention.ts';
import { domainOperations } from './views.ts';

const COLUMNS = ['name', 'description', 'id'];

interface Flags extends RetentionFlags {
  readonly description?: string;
}

/** `logclient repositories`: repositories and their retention. */
export const REPOSITORIES: Resource<Flags> = {
  name: 'repositories',
  about: 'Manage repositories.',
  needs: { repository: false },
  operations: [
    {
      usage: 'list',
      about: 'List the repositories that the token can access.',
      examples: [['logclient repositories list', 'list all repositories']],
      columns: COLUMNS,
      run: async ({ client, signal }) => (await client.listRepositories({ signal })).map(rowOf),
    },
    {
      usage: 'show <name>',
      about: 'Show a repository, including its size and retention.',
      examples: [['logclient repositories show sandbox', 'show one repository']],
      columns: [...COLUMNS, 'bytes', ...RETENTION.columns!],
      async run(call, name) {
        const details = await knownRepository(call, name);
        return [{ ...rowOf(details), bytes: details.compressedByteSize, ...retentionRow(details) }];
      },
    },
    {
      usage: 'create <name>',
      about: 'Create a repository.',
      flags: [
        ['--description <text>', 'Description of the repository.'],
        ['-y, --yes', 'Skip the confirmation prompt of an update that deletes events.'],
        ...RETENTION_FLAGS,
        IF_EXISTS,
      ],
      examples: [
        [
          "logclient repositories create web --description 'access logs' --days 30",
          'create a repository that keeps events for 30 days',
        ],
        ['logclient repositories create web --if-exists keep', 'create a repository unless it exists'],
      ],
      columns: [...COLUMNS, ...RETENTION.columns!],
      ifTaken: IF_EXISTS_HINT,
      async run(call, name) {
        const { client, signal, flags } = call;
        const { description, ifExists } = flags;
        const limits = limitsOf(flags);
        if (ifExists === 'update' && Object.keys(limits).length > 0) {
          const before = await client.getRepository(name, { signal });
          if (before !== undefined) await confirmLimits(call, limits, before);
        }
        await client.createRepository(name, { description, ...limits, ifExists, signal });
        const created = await knownRepository(call, name);
        return [{ ...rowOf(created), ...retentionRow(created) }];
      },
    },
    RETENTION,
    ...domainOperations('Repository', 'shop', 'old-web'),
  ],
};

function rowOf({ name, description = null, id }: Repository): Row {
  return { name, description, id };
}
