import { LogOptionsException } from '../errors.ts';
import {
  refuseUnknownOptions,
  requireBoolean,
  requireInteger,
  requireText,
  requireToken,
} from '../internal/option-checks.ts';
import { MAX_TIMER_MS } from '../internal/timer-limit.ts';
import type { AnsweredRequest } from './http/request-log.ts';
import {
  type ReferenceDataOptions,
  resolveReferenceDataOptions,
} from './reference-data/reference-data-options.ts';
import { repositoryNameProblem } from './repositories.ts';

const OWNER = 'startLocalServer';
const MIB = 1024 * 1024;
/** The last moment that a `Date` can hold. */
const MAX_EPOCH_MS = 8_640_000_000_000_000;

export interface LocalServerOptions {
  /**
   * The TCP port to listen on; 0 takes any free one, and `server.url` tells which.
   * @default 0
   */
  port?: number;
  /**
   * The address to listen on. The default can only be reached from this computer.
   * @default '127.0.0.1'
   */
  host?: string;
  /**
   * `false`: no port at all. The server then answers only to `server.fetch`, which is given to a client as its `fetch`.
   * @default true
   */
  listen?: boolean;
  /**
   * The name of the repository that is there from the start.
   * @default 'sandbox'
   */
  repository?: string;
  /**
   * Further repositories that are there from the start, each with an ingest token of its own.
   * @default []
   */
  repositories?: readonly string[];
  /**
   * How old an event of these repositories may become, in days; then it is deleted, from `dataDir`, too.
   * @default what was set before, else no limit
   */
  retentionDays?: number;
  /** The token that may do everything. @default the one kept in `dataDir`, else a new random one */
  userToken?: string;
  /** A token that may only ingest, into `repository`. @default the one kept in `dataDir`, else a new random one */
  ingestToken?: string;
  /**
   * How many events a repository keeps. When there are more, the oldest go, some thousands at a time.
   * @default 250_000
   */
  maxEvents?: number;
  /**
   * How many bytes of events (their names and values as text) a repository keeps; as with `maxEvents`, the oldest go.
   * @default 268_435_456 (256 MiB)
   */
  maxBytes?: number;
  /**
   * The size of the largest event, in bytes. A larger one is not refused: it loses its fields, and its text is cut.
   * @default 1_048_576 (1 MiB)
   */
  maxEventBytes?: number;
  /**
   * The size of the largest request body, in bytes, both as sent and decompressed; a larger one gets status 413.
   * @default 33_554_432 (32 MiB)
   */
  maxRequestBytes?: number;
  /** A folder that keeps events, files, users and tokens between runs. @default none: everything is in memory only */
  dataDir?: string;
  /**
   * Epoch milliseconds: the server's clock starts there and stands still until `server.clock` moves it.
   * @default the system's clock
   */
  now?: number;
  /**
   * How long a query may compute, in milliseconds, not counting the time that others ran; then it is cancelled.
   * @default 30_000
   */
  queryTimeoutMs?: number;
  /**
   * How many rows the result of a query with an aggregate function may have; the rest is cut off, with a warning.
   * @default 1_000_000
   */
  maxQueryRows?: number;
  /**
   * How many groups a function such as `groupBy` counts; further ones are left out, with a warning.
   * @default 1_000_000
   */
  maxQueryGroups?: number;
  /**
   * How many bytes of memory the state of one query may have, about; a query that needs more is cancelled.
   * @default 536_870_912 (512 MiB)
   */
  maxQueryBytes?: number;
  /**
   * How long a static query job lives without being polled, in milliseconds.
   * @default 90_000
   */
  jobLifetimeMs?: number;
  /**
   * How long a live query job lives without being polled, in milliseconds.
   * @default 3_600_000 (1 hour)
   */
  liveJobLifetimeMs?: number;
  /**
   * How long a live stream may be silent before it sends a blank line, in milliseconds; `Infinity`: it never does.
   * @default 10_000
   */
  keepAliveIntervalMs?: number;
  /**
   * Files with what no event tells: places and networks of IP addresses, indicators of attacks. Without them the
   * functions that look there find nothing.
   * @default {}
   */
  referenceData?: ReferenceDataOptions;
  /**
   * Told about each request when its answer begins.
   * @default nobody is
   */
  onRequest?: (request: AnsweredRequest) => void;
  /**
   * Told about trouble that no request can be answered with: a damaged line in `dataDir`, a failure inside a route.
   * @default process.emitWarning
   */
  onWarning?: (message: string) => void;
}

/** Options that are complete and checked; tokens may still come from `dataDir`. */
export type ResolvedLocalServerOptions = Readonly<
  Required<Omit<LocalServerOptions, OptionalName>> & Pick<LocalServerOptions, OptionalName>
>;

type OptionalName = 'userToken' | 'ingestToken' | 'dataDir' | 'now' | 'retentionDays' | 'onRequest';

const KNOWN: Record<keyof LocalServerOptions, true> = {
  port: true,
  host: true,
  listen: true,
  repository: true,
  repositories: true,
  retentionDays: true,
  userToken: true,
  ingestToken: true,
  maxEvents: true,
  maxBytes: true,
  maxEventBytes: true,
  maxRequestBytes: true,
  dataDir: true,
  now: true,
  queryTimeoutMs: true,
  maxQueryRows: true,
  maxQueryGroups: true,
  maxQueryBytes: true,
  jobLifetimeMs: true,
  liveJobLifetimeMs: true,
  keepAliveIntervalMs: true,
  referenceData: true,
  onRequest: true,
  onWarning: true,
};

/** @throws LogOptionsException for an option that is unknown or can't be used. */
export function resolveLocalServerOptions(options: LocalServerOptions = {}): ResolvedLocalServerOptions {
  refuseUnknownOptions(OWNER, options, Object.keys(KNOWN));
  const integer = (name: keyof LocalServerOptions, fallback: number, min: number, max?: number): number =>
    requireInteger(OWNER, name, options[name] ?? fallback, max === undefined ? { min } : { min, max });
  return Object.freeze({
    port: integer('port', 0, 0, 65_535),
    host: requireText(OWNER, 'host', options.host ?? '127.0.0.1'),
    listen: requireBoolean(OWNER, 'listen', options.listen ?? true),
    repository: requireRepository('repository', options.repository ?? 'sandbox'),
    repositories: requireRepositories(options.repositories ?? []),
    retentionDays: optional(options.retentionDays, requireDays),
    userToken: optional(options.userToken, (token) => requireToken(OWNER, 'userToken', token)),
    ingestToken: optional(options.ingestToken, (token) => requireToken(OWNER, 'ingestToken', token)),
    maxEvents: integer('maxEvents', 250_000, 1),
    maxBytes: integer('maxBytes', 256 * MIB, 1),
    maxEventBytes: integer('maxEventBytes', MIB, 1),
    maxRequestBytes: integer('maxRequestBytes', 32 * MIB, 1),
    dataDir: optional(options.dataDir, (folder) => requireText(OWNER, 'dataDir', folder)),
    now: optional(options.now, (now) => requireInteger(OWNER, 'now', now, { max: MAX_EPOCH_MS })),
    queryTimeoutMs: integer('queryTimeoutMs', 30_000, 1),
    maxQueryRows: integer('maxQueryRows', 1_000_000, 1),
    maxQueryGroups: integer('maxQueryGroups', 1_000_000, 1),
    maxQueryBytes: integer('maxQueryBytes', 512 * MIB, 1),
    jobLifetimeMs: integer('jobLifetimeMs', 90_000, 1),
    liveJobLifetimeMs: integer('liveJobLifetimeMs', 3_600_000, 1),
    keepAliveIntervalMs: requireInteger(OWNER, 'keepAliveIntervalMs', options.keepAliveIntervalMs ?? 10_000, {
      min: 1,
      max: MAX_TIMER_MS,
      orInfinity: true,
    }),
    referenceData: resolveReferenceDataOptions(options.referenceData),
    onRequest: optional(options.onRequest, (listener) => requireFunction('onRequest', listener)),
    onWarning: requireFunction('onWarning', options.onWarning ?? emitWarning),
  });
}

function optional<Value>(value: Value | undefined, check: (value: Value) => Value): Value | undefined {
  return value === undefined ? undefined : check(value);
}

function requireRepository(option: string, value: unknown): string {
  const name = requireText(OWNER, option, value);
  const problem = repositoryNameProblem(name);
  if (problem !== undefined) throw new LogOptionsException(`${OWNER}: "${option}" can't be used. ${problem}`);
  return name;
}

function requireRepositories(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((name) => requireRepository('repositories', name));
  throw new LogOptionsException(`${OWNER}: "repositories" must be an array of names.`);
}

function requireDays(value: unknown): number {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  throw new LogOptionsException(`${OWNER}: "retentionDays" must be a number of days above 0.`);
}

function requireFunction<Listener>(option: string, value: Listener): Listener {
  if (typeof value === 'function') return value;
  throw new LogOptionsException(`${OWNER}: "${option}" must be a function.`);
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'LogclientLocalServerWarning');
}
