import { LogOptionsException } from '../errors.ts';
import { describe } from '../internal/option-checks.ts';
import type { CallOptions } from '../web/call-options.ts';
import type { Repository, RepositoryDetails } from '../wire/repositories.ts';
import { type Api, type OptionChecks, unchecked } from './resource.ts';

/** Retention limits. Omitted limits stay unchanged; `null` removes a limit. */
export interface RetentionOptions {
  /**
   * Maximum age of events, in days. `null` removes the limit.
   *
   * @default no limit for a new repository; unchanged on update
   */
  timeBasedRetention?: number | null | undefined;
  /**
   * Maximum ingested size, in GiB before compression. Above it, the oldest events are deleted. `null` removes the
   * limit.
   *
   * @default no limit for a new repository; unchanged on update
   */
  ingestSizeBasedRetention?: number | null | undefined;
  /**
   * Maximum stored size, in GiB on disk. Above it, the oldest events are deleted. `null` removes the limit.
   *
   * @default no limit for a new repository; unchanged on update
   */
  storageSizeBasedRetention?: number | null | undefined;
}

export interface UpdateRetentionOptions extends RetentionOptions, CallOptions {}

export interface CreateRepositoryOptions extends RetentionOptions, CallOptions {
  /** Description of the repository. @default none */
  description?: string | undefined;
}

const RETENTION_OPTIONS: OptionChecks<RetentionOptions> = {
  timeBasedRetention: requireLimit,
  ingestSizeBasedRetention: requireLimit,
  storageSizeBasedRetention: requireLimit,
};
const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

const LIST = 'query ListRepositories { repositories { id name description } }';

const GET = `query GetRepository($name: String!) {
  repository(name: $name) {
    id name description timeBasedRetention ingestSizeBasedRetention storageSizeBasedRetention compressedByteSize
    automaticSearch
  }
}`;

const CREATE = `mutation CreateRepository($name: String!, $description: String, $retentionInMillis: Long, $retentionInIngestSizeBytes: Long, $retentionInStorageSizeBytes: Long) {
  createRepository(
    name: $name, description: $description, retentionInMillis: $retentionInMillis,
    retentionInIngestSizeBytes: $retentionInIngestSizeBytes, retentionInStorageSizeBytes: $retentionInStorageSizeBytes
  ) { repository { id name description } }
}`;

export async function listRepositories(api: Api, options: CallOptions): Promise<Repository[]> {
  const call = api.call('listRepositories', options);
  return call.listOf(await call.graphql(LIST), 'repositories');
}

export async function getRepository(
  api: Api,
  name: string,
  options: CallOptions,
): Promise<RepositoryDetails> {
  const call = api.call('getRepository', options);
  return call.found('repository', GET, call.texts({ name }), name);
}

export async function createRepository(
  api: Api,
  name: string,
  options: CreateRepositoryOptions,
): Promise<Repository> {
  const call = api.call('createRepository', options, { description: unchecked, ...RETENTION_OPTIONS });
  const given = call.given();
  return call.part('createRepository.repository', CREATE, {
    ...call.texts({ name }),
    description: given.description,
    retentionInMillis: scaled(given.timeBasedRetention, DAY_MS),
    retentionInIngestSizeBytes: scaled(given.ingestSizeBasedRetention, GIB),
    retentionInStorageSizeBytes: scaled(given.storageSizeBasedRetention, GIB),
  });
}

export async function updateRetention(
  api: Api,
  name: string,
  options: UpdateRetentionOptions,
): Promise<void> {
  const owner = 'updateRetention';
  const call = api.call(owner, options, RETENTION_OPTIONS);
  const retention = call.given();
  const limits = Object.keys(retention);
  if (limits.length === 0) {
    throw new LogOptionsException(
      `${owner}: nothing to change. Set ${Object.keys(RETENTION_OPTIONS).join(' or ')}.`,
    );
  }
  await call.graphql(updateQuery(limits), { ...call.texts({ name }), ...retention });
}

/** Names only the limits that change, because a service may read an omitted argument as null, which removes a limit. */
function updateQuery(limits: readonly string[]): string {
  const declared = limits.map((limit) => `, $${limit}: Float`).join('');
  const passed = limits.map((limit) => `, ${limit}: $${limit}`).join('');
  return `mutation UpdateRetention($name: String!${declared}) {
  updateRetention(repositoryName: $name${passed}) { __typename }
}`;
}

function requireLimit(owner: string, name: string, value: unknown): unknown {
  if (value === null || (typeof value === 'number' && value > 0 && Number.isFinite(value))) return value;
  throw new LogOptionsException(
    `${owner}: "${name}" must be a number above 0, or null for no limit (got ${describe(value)}).`,
  );
}

function scaled(value: unknown, unit: number): number | undefined {
  return typeof value === 'number' ? Math.round(value * unit) : undefined;
}
