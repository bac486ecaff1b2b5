import type { RepositoryDetails, Retention } from '../../../core/wire/repositories.ts';
import type { RetentionOptions } from '../../../index.ts';
import { existing } from '../../output/command-failure.ts';
import type { Flag } from '../../output/flag.ts';
import { limitOrNone } from '../../output/flag-values.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import {
  type Call,
  confirmDeletion,
  IF_EXISTS,
  type Operation,
  type Resource,
  type ResourceFlags,
  YES,
} from './resource.ts';
import { domainOperations } from './views.ts';

const COLUMNS = ['name', 'description', 'id'];

/** The limits by their flags and columns. */
const LIMITS = {
  days: 'timeBasedRetention',
  ingestGib: 'ingestSizeBasedRetention',
  storageGib: 'storageSizeBasedRetention',
} as const;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
const NO_LIMIT = new Worded(null, 'none');

const RETENTION_FLAGS: readonly Flag[] = [
  ['--days <number>', 'Maximum age of events in days, or "none". Older events are deleted.', limitOrNone],
  [
    '--ingest-gib <number>',
    'Maximum ingested size in GiB, or "none". The oldest events are deleted first.',
    limitOrNone,
  ],
  [
    '--storage-gib <number>',
    'Maximum size on disk in GiB, or "none". The oldest events are deleted first.',
    limitOrNone,
  ],
];

/** `logclient repositories retention`: shows the retention and sets the limits given as flags. */
const RETENTION: Operation = {
  usage: 'retention <name>',
  about:
    'Show the retention limits of a repository, or change them with flags. Asks for confirmation before a stricter limit deletes events.',
  flags: [YES, ...RETENTION_FLAGS],
  examples: [
    ['logclient repositories retention sandbox', 'show the retention limits'],
    ['logclient repositories retention sandbox --days 30 --yes', 'delete events older than 30 days'],
    ['logclient repositories retention sandbox --days none', 'remove the age limit'],
  ],
  columns: NAMES,
  async run(call, name) {
    const { client, signal } = call;
    const limits = limitsOf(call.flags);
    if (Object.keys(limits).length > 0) {
      await confirmLimits(call, limits, await knownRepository(call, name));
      await client.updateRetention(name, { ...limits, signal });
    }
    return [retentionRow(await knownRepository(call, name))];
  },
};

export const REPOSITORIES: Resource = {
  name: 'repositories',
  about: 'Manage repositories.',
  needs: { repository: false },
  operations: [
    {
      usage: 'list',
      about: 'List the repositories that the token can access.',
      examples: [['logclient repositories list', 'list all repositories']],
      columns: COLUMNS,
      run: ({ client, signal }) => client.listRepositories({ signal }),
    },
    {
      usage: 'show <name>',
      about: 'Show a repository, including its size and retention.',
      examples: [['logclient repositories show sandbox', 'show one repository']],
      columns: [...COLUMNS, 'bytes', ...RETENTION.columns!],
      async run(call, name) {
        const details = await knownRepository(call, name);
        return [{ ...details, bytes: details.compressedByteSize, ...retentionRow(details) }];
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
        return [{ ...created, ...retentionRow(created) }];
      },
    },
    RETENTION,
    ...domainOperations('Repository', 'shop', 'old-web'),
  ],
};

/** Asks before new limits delete events. @throws CommandFailure if the user does not confirm */
async function confirmLimits(call: Call, limits: RetentionOptions, before: RepositoryDetails): Promise<void> {
  const isStricter = NAMES.map((name) => LIMITS[name]).some(
    (name) => (limits[name] ?? Number.POSITIVE_INFINITY) < (before[name] ?? Number.POSITIVE_INFINITY),
  );
  if (isStricter) await confirmDeletion(`the events of "${before.name}" beyond the new retention`, call);
}

/** @throws CommandFailure */
async function knownRepository({ client, signal }: Call, name: string): Promise<RepositoryDetails> {
  const repository = await client.getRepository(name, { signal });
  return existing(repository, `repository "${name}"`, 'repositories');
}

/** The limits given as flags. */
function limitsOf(flags: ResourceFlags): RetentionOptions {
  const given = NAMES.filter((name) => flags[name] !== undefined);
  return Object.fromEntries(given.map((name) => [LIMITS[name], flags[name] === 'none' ? null : flags[name]]));
}

function retentionRow(retention: Retention): Row {
  return Object.fromEntries(NAMES.map((name) => [name, retention[LIMITS[name]] ?? NO_LIMIT]));
}
