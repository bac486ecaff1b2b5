import type { RepositoryDetails, Retention } from '../../../core/wire/repositories.ts';
import type { RetentionOptions } from '../../../index.ts';
import { existing } from '../../output/command-failure.ts';
import type { Flag } from '../../output/flag.ts';
import { limitOrNone } from '../../output/flag-values.ts';
import { type Row, Worded } from '../../output/row-format.ts';
import { type Call, confirmDeletion, type Operation, type ResourceFlags, YES } from './resource.ts';

/** Limits after which events are deleted. */
export interface RetentionFlags extends ResourceFlags {
  readonly days?: number | 'none';
  readonly ingestGib?: number | 'none';
  readonly storageGib?: number | 'none';
}

/** The limits by their flags and columns. */
const LIMITS = {
  days: 'timeBasedRetention',
  ingestGib: 'ingestSizeBasedRetention',
  storageGib: 'storageSizeBasedRetention',
} as const;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
const NO_LIMIT = new Worded(null, 'none');

export const RETENTION_FLAGS: readonly Flag[] = [
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
export const RETENTION: Operation<RetentionFlags> = {
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

/** Asks before new limits delete events. @throws CommandFailure if the user does not confirm */
export async function confirmLimits(
  call: Call,
  limits: RetentionOptions,
  before: RepositoryDetails,
): Promise<void> {
  const isStricter = NAMES.map((name) => LIMITS[name]).some(
    (name) => (limits[name] ?? Number.POSITIVE_INFINITY) < (before[name] ?? Number.POSITIVE_INFINITY),
  );
  if (isStricter) await confirmDeletion(`the events of "${before.name}" beyond the new retention`, call);
}

/** @throws CommandFailure */
export async function knownRepository({ client, signal }: Call, name: string): Promise<RepositoryDetails> {
  const repository = await client.getRepository(name, { signal });
  return existing(repository, `repository "${name}"`, 'logclient repositories list');
}

/** The limits given as flags. */
export function limitsOf(flags: RetentionFlags): RetentionOptions {
  const given = NAMES.filter((name) => flags[name] !== undefined);
  return Object.fromEntries(given.map((name) => [LIMITS[name], flags[name] === 'none' ? null : flags[name]]));
}

export function retentionRow(retention: Retention): Row {
  return Object.fromEntries(NAMES.map((name) => [name, retention[LIMITS[name]] ?? NO_LIMIT]));
}
