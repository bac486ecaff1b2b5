import { MAX_EPOCH_MS } from '../core/epoch.ts';
import { LogOptionsException } from '../core/errors.ts';
import {
  describe,
  refuseUnknownOptions,
  requireArray,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireOptions,
  requireText,
  requireToken,
  resolveAll,
  resolveTimeout,
} from '../core/option-checks.ts';
import type { AnsweredRequest } from './http/request-log.ts';
import {
  type NgsiemOptions,
  type ResolvedNgsiemOptions,
  resolveNgsiemOptions,
} from './ngsiem/ngsiem-options.ts';
import { type ReferenceDataOptions, resolveReferenceDataOptions } from './reference-data-options.ts';
import type { Rejection } from './rejections/rejection.ts';
import { repositoryNameProblem } from './repositories.ts';

const OWNER = 'startLocalServer';
const MIB = 1024 * 1024;

export interface LocalServerOptions {
  /**
   * TCP port to listen on. 0 selects a free port; `server.url` shows which one.
   * @default 0
   */
  port?: number | undefined;
  /**
   * Address to listen on. The default accepts connections from this computer only.
   * @default '127.0.0.1'
   */
  host?: string | undefined;
  /**
   * Additional host names under which clients and web pages can use the server, such as `logs.example.com`, or
   * `.example.com` for all hosts of a domain. On a loopback address, requests to any other name fail with status 403,
   * except those of this computer; on every address, so do requests from web pages of other hosts that change something.
   * @default []
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Set this to `false` to open no port. In that case, pass `server.fetch` to a client as its `fetch` option.
   * @default true
   */
  listen?: boolean | undefined;
  /**
   * Name of the default repository, which is created at startup.
   * @default that of the last run with `dataDir`, else `'sandbox'`
   */
  repository?: string | undefined;
  /**
   * Additional repositories to create at startup, each with its own ingest token.
   * @default []
   */
  repositories?: readonly string[] | undefined;
  /**
   * Retention of the repositories created at startup, in days. Older events are deleted, including those in `dataDir`.
   * @default the retention saved in `dataDir`, else no limit
   */
  retentionDays?: number | undefined;
  /** API token with all permissions. @default the token saved in `dataDir`, else a random one */
  userToken?: string | undefined;
  /** Ingest token of `repository`. @default the token saved in `dataDir`, else a random one */
  ingestToken?: string | undefined;
  /**
   * Maximum number of events per repository. Above it, the oldest events are evicted, and older ones are not stored.
   * @default 250_000
   */
  maxEvents?: number | undefined;
  /**
   * Maximum size of the events per repository (field names and values), in bytes. Above it, the oldest events are
   * evicted.
   * @default 268_435_456 (256 MiB)
   */
  maxBytes?: number | undefined;
  /**
   * Maximum size of an event, in bytes. Larger events are stored without their fields and with truncated text.
   * @default 1_048_576 (1 MiB)
   */
  maxEventBytes?: number | undefined;
  /**
   * Maximum size of a request body, in bytes, both before and after decompression. Larger requests fail with status
   * 413.
   * @default 33_554_432 (32 MiB)
   */
  maxRequestBytes?: number | undefined;
  /** Directory for events, files, users and tokens. @default none: data is kept in memory only */
  dataDir?: string | undefined;
  /**
   * Stops the server's clock at this time, in epoch milliseconds. Move the clock with `server.clock`.
   * @default the system clock
   */
  now?: number | undefined;
  /**
   * Maximum CPU time of a query, or of each batch of rows that the client of an export reads, in milliseconds. Slower
   * queries are canceled.
   * @default 30_000
   */
  queryTimeoutMs?: number | undefined;
  /**
   * Maximum number of rows in the result of an aggregate query. Additional rows are omitted with a warning.
   * @default 1_000_000
   */
  maxQueryRows?: number | undefined;
  /**
   * Maximum number of groups for functions such as `groupBy`. Additional groups are omitted with a warning.
   * @default 1_000_000
   */
  maxQueryGroups?: number | undefined;
  /**
   * Approximate memory limit of all queries together, in bytes. If it is exceeded, the largest static query is restarted
   * when no other heavy one runs. A query that needs more on its own is canceled.
   * @default 536_870_912 (512 MiB)
   */
  maxQueryBytes?: number | undefined;
  /**
   * Time without a poll after which a static query job expires, in milliseconds.
   * @default 90_000
   */
  jobLifetimeMs?: number | undefined;
  /**
   * Time without a poll after which a live query job expires, in milliseconds.
   * @default 3_600_000 (1 hour)
   */
  liveJobLifetimeMs?: number | undefined;
  /**
   * Interval between blank lines sent on idle live streams, in milliseconds. `Infinity` disables them.
   * @default 10_000
   */
  keepAliveIntervalMs?: number | undefined;
  /**
   * Reference files for IP locations, autonomous systems and indicators of compromise. If a file is not set, the
   * functions that use it find no matches.
   * @default {}
   */
  referenceData?: ReferenceDataOptions | undefined;
  /**
   * Called for each request when its response starts.
   * @default none
   */
  onRequest?: ((request: AnsweredRequest) => void) | undefined;
  /**
   * Called for the first rejection of each cause: a response with status 400 or above, a GraphQL error, an event that is
   * rejected, truncated, dropped or not parsed, or a time in another unit. `server.inspect.rejections()` returns all with
   * counts.
   * @default none
   */
  onRejection?: ((rejection: Rejection) => void) | undefined;
  /**
   * Called with internal errors and with problems that occur outside of requests, such as a damaged line in `dataDir`.
   * @default `process.emitWarning`
   */
  onWarning?: ((message: string) => void) | undefined;
  /**
   * Emulates Next-Gen SIEM instead of LogScale if set to `true` or to an object of `NgsiemOptions`.
   * @default false
   */
  ngsiem?: false | undefined;
}

/** Options of a server that emulates Next-Gen SIEM, which has fixed repositories and no LogScale tokens. */
export interface NgsiemServerOptions extends Omit<LocalServerOptions, LogscaleName | 'ngsiem'> {
  /** Emulates Next-Gen SIEM. `true` is the same as `{}`. */
  ngsiem: true | NgsiemOptions;
}

const LOGSCALE_NAMES = ['repository', 'repositories', 'userToken', 'ingestToken'] as const;
type LogscaleName = (typeof LOGSCALE_NAMES)[number];

/** The repository of Next-Gen SIEM with the events of the HEC connector. */
const NGSIEM_REPOSITORY = 'third-party';

/** Validated options with defaults; tokens may still come from `dataDir`. */
export type ResolvedLocalServerOptions = Readonly<
  Required<Omit<LocalServerOptions, OptionalName | 'ngsiem'>> &
    Pick<LocalServerOptions, OptionalName> & { ngsiem: ResolvedNgsiemOptions | false }
>;

type OptionalName =
  | 'userToken'
  | 'ingestToken'
  | 'dataDir'
  | 'now'
  | 'retentionDays'
  | 'onRejection'
  | 'onRequest';

/** The defaults of the limits. */
export const DEFAULT_LIMITS = {
  maxEvents: 250_000,
  maxBytes: 256 * MIB,
  maxEventBytes: MIB,
  maxRequestBytes: 32 * MIB,
  queryTimeoutMs: 30_000,
  maxQueryRows: 1_000_000,
  maxQueryGroups: 1_000_000,
  maxQueryBytes: 512 * MIB,
  jobLifetimeMs: 90_000,
  liveJobLifetimeMs: 3_600_000,
  keepAliveIntervalMs: 10_000,
} as const;

type LimitName = keyof typeof DEFAULT_LIMITS;

/** @throws LogOptionsException for an unknown or invalid option. */
export function resolveLocalServerOptions(
  given: LocalServerOptions | NgsiemServerOptions = {},
): ResolvedLocalServerOptions {
  requireOptions(OWNER, given);
  const isNgsiem = given.ngsiem !== undefined && given.ngsiem !== false;
  const options: LocalServerOptions = { ...given, ngsiem: false };
  const allowed = isNgsiem
    ? { ...options, ...Object.fromEntries(LOGSCALE_NAMES.map((name) => [name, undefined])) }
    : options;
  const checks = checksOf(allowed, given.ngsiem, isNgsiem ? NGSIEM_REPOSITORY : 'sandbox');
  return Object.freeze(
    resolveAll<ResolvedLocalServerOptions>(checks, [
      () => refuseUnknownOptions(OWNER, given, Object.keys(checks)),
      () => isNgsiem && refuseLogscaleOptions(options),
      () => refuseSameTokens(allowed),
    ]),
  );
}

type Checks = {
  readonly [Name in keyof ResolvedLocalServerOptions]-?: () => ResolvedLocalServerOptions[Name];
};

function checksOf(options: LocalServerOptions, ngsiem: unknown, defaultRepository: string): Checks {
  const { host = '127.0.0.1', allowedHosts = [], listen = true, onWarning = emitWarning } = options;
  const {
    keepAliveIntervalMs: keepAliveMs,
    port = 0,
    repository = defaultRepository,
    repositories = [],
  } = options;
  const limits = Object.fromEntries(
    (Object.keys(DEFAULT_LIMITS) as LimitName[]).map((name) => {
      const { [name]: value = DEFAULT_LIMITS[name] } = options;
      return [name, () => requireInteger(OWNER, name, value, { min: 1 })];
    }),
  ) as Pick<Checks, LimitName>;
  const token = (name: 'userToken' | 'ingestToken') => (): string | undefined =>
    optional(options[name], (value) => requireToken(OWNER, name, value));
  return {
    port: () => requireInteger(OWNER, 'port', port, { max: 65_535 }),
    host: () => requireText(OWNER, 'host', host),
    allowedHosts: () => requireHostNames(allowedHosts),
    listen: () => requireBoolean(OWNER, 'listen', listen),
    ngsiem: () => resolveNgsiemOptions(ngsiem),
    repository: () => requireRepository('repository', repository),
    repositories: () => requireRepositories(repositories),
    retentionDays: () => optional(options.retentionDays, requireDays),
    userToken: token('userToken'),
    ingestToken: token('ingestToken'),
    ...limits,
    dataDir: () => optional(options.dataDir, (folder) => requireText(OWNER, 'dataDir', folder)),
    now: () => optional(options.now, (now) => requireInteger(OWNER, 'now', now, { max: MAX_EPOCH_MS })),
    keepAliveIntervalMs: () =>
      resolveTimeout(OWNER, keepAliveMs, DEFAULT_LIMITS.keepAliveIntervalMs, 'keepAliveIntervalMs'),
    referenceData: () => resolveReferenceDataOptions(options.referenceData),
    onRejection: () => requireFunction(OWNER, 'onRejection', options.onRejection),
    onRequest: () => requireFunction(OWNER, 'onRequest', options.onRequest),
    onWarning: () => requireFunction(OWNER, 'onWarning', onWarning),
  };
}

function refuseSameTokens({ userToken, ingestToken }: LocalServerOptions): void {
  if (userToken === undefined || userToken !== ingestToken) return;
  const message = `${OWNER}: "userToken" and "ingestToken" must be different, as on the service. Change one of them.`;
  throw new LogOptionsException(message);
}

function refuseLogscaleOptions(options: LocalServerOptions): void {
  const names = LOGSCALE_NAMES.filter((name) => options[name] !== undefined);
  if (names.length === 0) return;
  const message = `${OWNER}: "${names.join('" and "')}" can't be combined with "ngsiem". Next-Gen SIEM has the repositories search-all, investigate_view and third-party, an API client ("ngsiem.clientId", "ngsiem.clientSecret") and a HEC connector ("ngsiem.hecToken").`;
  throw new LogOptionsException(message);
}

function optional<Value>(value: Value | undefined, check: (value: Value) => Value): Value | undefined {
  return value === undefined ? undefined : check(value);
}

function requireRepository(option: string, value: unknown): string {
  const name = requireText(OWNER, option, value);
  const problem = repositoryNameProblem(name);
  if (problem !== undefined) throw new LogOptionsException(`${OWNER}: "${option}" is invalid. ${problem}`);
  return name;
}

function requireRepositories(value: unknown): readonly string[] {
  const names = requireArray(OWNER, '"repositories"', value, 'names');
  return names.map((name) => requireRepository('repositories', name));
}

function requireHostNames(value: unknown): readonly string[] {
  const isName = (name: unknown): boolean => typeof name === 'string' && /^[^\s/:*]+$/.test(name);
  if (Array.isArray(value) && Array.from(value).every(isName)) return value;
  const message = `${OWNER}: "allowedHosts" must be an array of host names without protocol, port or "*", such as logs.example.com (got ${describe(value)}).`;
  throw new LogOptionsException(message);
}

function requireDays(value: unknown): number {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  const message = `${OWNER}: "retentionDays" must be a number of days above 0 (got ${describe(value)}).`;
  throw new LogOptionsException(message);
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'LogclientLocalServerWarning');
}
