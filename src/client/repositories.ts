import { DAY_MS } from '../core/epoch.ts';
import { LogHTTPException, LogOptionsException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { isMissing } from '../core/http/graphql-call.ts';
import { wrongKind } from '../core/option-checks.ts';
import { hasStep } from '../core/query-text.ts';
import { requireEpochMs } from '../core/time-option.ts';
import { viewSentence } from '../core/view-sentence.ts';
import type { Repository, RepositoryDetails } from '../core/wire/repositories.ts';
import { type QueryText, queryStringOf } from './query/query-fragment.ts';
import { type CreateOptions, type OptionChecks, requireIfExists, unchecked } from './resource.ts';
import { SearchDomainMethods } from './search-domains.ts';

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

export interface CreateRepositoryOptions extends RetentionOptions, CreateOptions {
  /** Description of the repository. @default none (unchanged on update) */
  description?: string | undefined;
}

export interface RedactEventsOptions extends CallOptions {
  /** Start of the time range: a Date, ISO 8601 with an offset (`2026-11-20T10:00:00Z`), or epoch milliseconds. */
  start: Date | string | number;
  /** End of the time range, inclusive, in the same formats as `start`. */
  end: Date | string | number;
  /** Reason for the deletion, recorded in the service's audit log. @default none */
  userMessage?: string | undefined;
}

const RETENTION_OPTIONS: OptionChecks<RetentionOptions> = {
  timeBasedRetention: requireLimit,
  ingestSizeBasedRetention: requireLimit,
  storageSizeBasedRetention: requireLimit,
};
const CREATE_OPTIONS: OptionChecks<CreateRepositoryOptions> = {
  description: unchecked,
  ifExists: requireIfExists,
  ...RETENTION_OPTIONS,
};
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

const REDACT = 'mutation RedactEvents($input: RedactEventsInputType!) { redactEvents(input: $input) }';

/** Methods of a client for repositories. */
export abstract class RepositoryMethods extends SearchDomainMethods {
  /** Returns all repositories that the token can access. */
  async listRepositories(options: CallOptions = {}): Promise<Repository[]> {
    const call = this.call('listRepositories', options);
    return call.listOf(await call.graphql(LIST), 'repositories');
  }

  /**
   * Returns a repository with its retention, or undefined if it does not exist or the token can't access it.
   *
   * @example
   * ```ts
   * const days = (await client.getRepository('orders'))?.timeBasedRetention;
   * ```
   */
  async getRepository(name: string, options: CallOptions = {}): Promise<RepositoryDetails | undefined> {
    const call = this.call('getRepository', options);
    const run = () => call.requireDomain<RepositoryDetails>('repository', GET, { name }, name);
    const namesOf = (all: readonly Repository[]) => all.map(({ name }) => ({ name }));
    return call.ifListed({ name }, run, async (options) => namesOf(await this.listRepositories(options)));
  }

  /**
   * Creates a repository with a default ingest token. With `ifExists: 'update'`, lowering the retention of an existing
   * repository permanently deletes the events beyond it.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if a repository or view has this name.
   *
   * @example
   * ```ts
   * await client.createRepository('orders', { timeBasedRetention: 30, ifExists: 'update' });
   * ```
   */
  async createRepository(name: string, options: CreateRepositoryOptions = {}): Promise<Repository> {
    const call = this.call('createRepository', options, CREATE_OPTIONS);
    const { description, ...retention } = call.ownOptions();
    const variables = {
      ...call.texts({ name }),
      description,
      retentionInMillis: scaled(retention.timeBasedRetention, DAY_MS),
      retentionInIngestSizeBytes: scaled(retention.ingestSizeBasedRetention, GIB),
      retentionInStorageSizeBytes: scaled(retention.storageSizeBasedRetention, GIB),
    };
    return call.createOr<Repository>({
      create: () => call.part('createRepository.repository', CREATE, variables),
      find: async () => {
        const found = await this.getRepository(name, call.callOptions);
        return found && { id: found.id, name: found.name, description: found.description };
      },
      update: async (existing) => {
        if (Object.keys(retention).length > 0) {
          await this.updateRetention(name, { ...call.callOptions, ...retention });
        }
        if (description === undefined) return existing;
        await this.updateDescription(name, description as string, call.callOptions);
        return { ...existing, description: description as string };
      },
    });
  }

  /**
   * Updates the retention limits of a repository. Omitted limits stay unchanged; `null` removes a limit. Lowering a
   * limit permanently deletes the events beyond it.
   *
   * @example
   * ```ts
   * await client.updateRetention('orders', { timeBasedRetention: 30, storageSizeBasedRetention: null });
   * ```
   */
  async updateRetention(name: string, options: UpdateRetentionOptions): Promise<void> {
    const call = this.call('updateRetention', options, RETENTION_OPTIONS);
    const retention = call.ownOptions();
    const limits = Object.keys(retention);
    if (limits.length === 0) {
      throw new LogOptionsException(
        `${call.owner}: nothing to change. Set ${Object.keys(RETENTION_OPTIONS).join(' or ')}.`,
      );
    }
    await call.graphql(updateQuery(limits), { ...call.texts({ name }), ...retention });
  }

  /**
   * Permanently deletes the events of the repository that a filter query finds. Queries no longer find them; the service
   * removes them from its disks later. For few events: to delete many, see {@link updateRetention}.
   *
   * @returns the ID of the redaction, which the GraphQL query `redactEvents` lists until it is complete.
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` for a view; the message names its repositories.
   *
   * @example
   * ```ts
   * await client.redactEvents('email=ann@example.com', { start: '2026-11-01T00:00:00Z', end: new Date() });
   * ```
   */
  async redactEvents(queryString: QueryText, options: RedactEventsOptions): Promise<string> {
    const checks = { start: requireInstant, end: requireInstant, userMessage: unchecked };
    const call = this.call('redactEvents', options, checks);
    const { query } = call.texts({ query: queryStringOf(queryString) });
    if (!hasStep(query))
      throw new LogOptionsException('redactEvents: "query" is empty. "*" means all events.');
    const input = { repositoryName: this.repository, query, ...call.ownOptions(['start', 'end']) };
    return call.part<string>('redactEvents', REDACT, { input }).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      const domain = await this.getSearchDomain(this.repository, call.callOptions).catch(() => undefined);
      throw domain?.kind === 'View' ? new LogHTTPException(viewSentence(domain), error) : error;
    });
  }
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
  throw wrongKind(owner, `"${name}"`, 'a number above 0, or null for no limit', value);
}

function requireInstant(owner: string, name: string, time: unknown): string {
  return new Date(requireEpochMs(owner, name, time, '')).toISOString();
}

function scaled(value: unknown, unit: number): number | undefined {
  return typeof value === 'number' ? Math.round(value * unit) : undefined;
}
