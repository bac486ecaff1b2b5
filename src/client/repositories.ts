import { LogOptionsException } from '../errors.ts';
import { describe, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type { Repository, RepositoryDetails, Retention } from '../wire/repositories.ts';
import { found } from './found.ts';
import { graphqlList, graphqlPart } from './graphql-part.ts';

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

const RETENTION_NAMES = [
  'timeBasedRetention',
  'ingestSizeBasedRetention',
  'storageSizeBasedRetention',
] as const;
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

export async function listRepositories(webCaller: WebCaller, options: CallOptions): Promise<Repository[]> {
  const call = resolveCallOptions('listRepositories', options);
  return graphqlList<Repository>(webCaller, 'repositories', {
    ...call,
    query: LIST,
  });
}

export async function getRepository(
  webCaller: WebCaller,
  name: string,
  options: CallOptions,
): Promise<RepositoryDetails> {
  const { repository } = await webCaller.callGraphql<{ repository: RepositoryDetails | null }>({
    ...resolveCallOptions('getRepository', options),
    query: GET,
    variables: { name: requireText('getRepository', 'name', name) },
  });
  return found(repository, name);
}

export async function createRepository(
  webCaller: WebCaller,
  name: string,
  options: CreateRepositoryOptions,
): Promise<Repository> {
  const owner = 'createRepository';
  const call = resolveCallOptions(owner, options, ['description', ...RETENTION_NAMES]);
  const retention = checkedRetention(owner, options);
  return graphqlPart<Repository>(webCaller, 'createRepository.repository', {
    ...call,
    query: CREATE,
    variables: {
      name: requireText(owner, 'name', name),
      description: options.description,
      retentionInMillis: scaled(retention.timeBasedRetention, DAY_MS),
      retentionInIngestSizeBytes: scaled(retention.ingestSizeBasedRetention, GIB),
      retentionInStorageSizeBytes: scaled(retention.storageSizeBasedRetention, GIB),
    },
  });
}

export async function updateRetention(
  webCaller: WebCaller,
  name: string,
  options: UpdateRetentionOptions,
): Promise<void> {
  const owner = 'updateRetention';
  const call = resolveCallOptions(owner, options, RETENTION_NAMES);
  const retention = checkedRetention(owner, options);
  const given = RETENTION_NAMES.filter((limit) => retention[limit] !== undefined);
  if (given.length === 0) {
    throw new LogOptionsException(`${owner}: nothing to change. Set ${RETENTION_NAMES.join(' or ')}.`);
  }
  await webCaller.callGraphql({
    ...call,
    query: updateQuery(given),
    variables: { name: requireText(owner, 'name', name), ...retention },
  });
}

/** Names what is changed and nothing else: a service may take an argument that is left out for one that is null. */
function updateQuery(limits: readonly string[]): string {
  const declared = limits.map((limit) => `, $${limit}: Float`).join('');
  const passed = limits.map((limit) => `, ${limit}: $${limit}`).join('');
  return `mutation UpdateRetention($name: String!${declared}) {
  updateRetention(repositoryName: $name${passed}) { __typename }
}`;
}

function checkedRetention(owner: string, options: RetentionOptions): Partial<Retention> {
  const retention: Partial<Record<keyof Retention, number | null>> = {};
  for (const name of RETENTION_NAMES) {
    const value = options[name];
    if (value === undefined) continue;
    if (value !== null && !(typeof value === 'number' && value > 0 && Number.isFinite(value))) {
      throw new LogOptionsException(
        `${owner}: "${name}" must be a number above 0, or null for no limit (got ${describe(value)}).`,
      );
    }
    retention[name] = value;
  }
  return retention;
}

function scaled(value: number | null | undefined, unit: number): number | undefined {
  return value === undefined || value === null ? undefined : Math.round(value * unit);
}
