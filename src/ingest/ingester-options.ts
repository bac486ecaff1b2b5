import { LogOptionsException } from '../errors.ts';
import { environmentNames, fromEnvironment } from '../internal/environment.ts';
import {
  describe,
  refuseUnknownOptions,
  requireBoolean,
  requireInteger,
  requireOneOf,
  requireText,
  requireToken,
} from '../internal/option-checks.ts';
import { MAX_TIMER_MS } from '../internal/timer-limit.ts';
import {
  type ConnectionOptions,
  type ResolvedConnectionOptions,
  resolveConnectionOptions,
} from '../web/connection-options.ts';
import { path } from '../web/path.ts';
import type { DroppedRecords } from './dropped-records.ts';
import type { Compression } from './encoded-batch.ts';
import type { Recovery } from './ingester-observer.ts';
import { type FlushSignal, resolveFlushSignals } from './process-signals.ts';
import { type ResolvedSpoolOptions, resolveSpoolOptions, type SpoolOptions } from './spool/spool-options.ts';
import type { Tags } from './tags.ts';
import type { Warning } from './warning.ts';

/** What becomes of a record that finds the queue full. */
export type OverflowPolicy = 'dropOldest' | 'dropNewest' | 'block';

/** Where records go, how they are batched, and what happens when they can't be delivered. */
export interface IngesterOptions extends Omit<ConnectionOptions, 'timeoutMs'> {
  /** An ingest token; it names the repository too. @default LOGSCALE_INGEST_TOKEN from the environment */
  ingestToken?: string | undefined;
  /**
   * A user's token, in place of an ingest token; needs `repository`.
   *
   * @default LOGSCALE_TOKEN or HUMIO_TOKEN from the environment, when there is no ingest token
   */
  userToken?: string | undefined;
  /** The repository to send to with a `userToken`. @default LOGSCALE_REPOSITORY from the environment */
  repository?: string | undefined;
  /** Tags of every record. Few values for each: every combination is a data source of its own. @default none */
  tags?: Tags | undefined;
  /**
   * Fields whose value becomes a tag of the record; they stay fields as well. Only for fields with few values, such
   * as `level`.
   *
   * @default none
   */
  tagFields?: readonly string[] | undefined;
  /**
   * A batch is sent when it has this many records, and has no more.
   *
   * @default sent with 5_000; while the service is busy, batches grow until `maxBatchBytes`
   */
  maxBatchRecords?: number | undefined;
  /** A batch is sent when its events have this many bytes, before compression, and has no more. @default 1_048_576 (1 MiB) */
  maxBatchBytes?: number | undefined;
  /** No record waits longer than this for its batch to fill, in milliseconds. @default 1_000 */
  flushIntervalMs?: number | undefined;
  /**
   * The memory in bytes that waiting and unconfirmed events may take; see `overflow`. Batches that wait are compressed
   * already, so it holds several times as much as it says.
   *
   * In-process, a program that logs megabytes in each turn of the event loop is faster than one connection, however
   * healthy the service is: raise this above what a burst has after compression, let the program wait with
   * `overflow: 'block'`, or deliver from a worker, which makes the program wait.
   *
   * @default 8_388_608 (8 MiB)
   */
  maxQueueBytes?: number | undefined;
  /**
   * The bytes that an event may have. The longest texts of a larger one are cut, and say so; the service would take
   * all fields from it.
   *
   * @default 1_000_000 (1 MB)
   */
  maxEventBytes?: number | undefined;
  /**
   * How many requests may be under way at a time. More than one delivers more where the service is far away, at the
   * price of order: records of different requests may change places when one of them has to be sent again.
   *
   * @default 1
   */
  maxRequestsInFlight?: number | undefined;
  /**
   * Adds the fields `batchId` and `seq` to each event, which together are unique. When an acknowledgement gets lost, a
   * batch arrives twice; these tell the copies.
   *
   * @default false
   */
  batchIds?: boolean | undefined;
  /**
   * What to do with a record when the queue is full: make room by dropping the oldest, drop the new one, or `block`:
   * refuse it, so that the caller waits for `drained()` and adds it again.
   *
   * @default 'dropOldest'
   */
  overflow?: OverflowPolicy | undefined;
  /**
   * Keeps records on a local disk until they are delivered, so that an outage, a restart and SIGKILL lose none. Bounded
   * by its own `maxBytes` in place of `maxQueueBytes`.
   *
   * @default no spool: records wait in memory
   */
  spool?: SpoolOptions | undefined;
  /** Compression of requests; `gzip` runs outside the event loop's thread. @default 'gzip' */
  compression?: Compression | undefined;
  /** Milliseconds that one request may take before it is sent again. @default 10_000 */
  requestTimeoutMs?: number | undefined;
  /** The longest wait before the first retry, in milliseconds; it doubles from there. @default 1_000 */
  minRetryDelayMs?: number | undefined;
  /** The longest wait before any retry, unless the service asks for more, in milliseconds. @default 30_000 */
  maxRetryDelayMs?: number | undefined;
  /**
   * Milliseconds that `close()` spends on delivering what is left, also at the end of the process. Below 10 seconds,
   * where loggers lose patience.
   *
   * @default 5_000
   */
  closeTimeoutMs?: number | undefined;
  /**
   * Delivers what is left, for `closeTimeoutMs`, when one of these signals ends the process; the process then ends by
   * the signal. `true` stands for SIGTERM and SIGINT. When the program listens to a signal itself, records are only
   * flushed, and the end is its affair: await `close()` there. Signals reach the main thread alone.
   *
   * @default false
   */
  flushOnSignals?: boolean | readonly FlushSignal[] | undefined;
  /**
   * Called with records that are given up, but not with those that the hook itself displaces by logging. A transport
   * that delivers from a worker calls its hooks in the program's thread, without the texts of the events.
   */
  onDrop?: ((drop: DroppedRecords) => void) | undefined;
  /** Called in place of writing a warning to stderr. */
  onWarning?: ((warning: Warning) => void) | undefined;
  /** Called when records are delivered again after attempts that failed. */
  onRecovered?: ((recovery: Recovery) => void) | undefined;
}

/** Every option by name. The type fails when one is missing. */
const OPTION_NAMES = Object.keys({
  baseUrl: 0,
  agent: 0,
  fetch: 0,
  headers: 0,
  ingestToken: 0,
  userToken: 0,
  repository: 0,
  tags: 0,
  tagFields: 0,
  maxBatchRecords: 0,
  maxBatchBytes: 0,
  flushIntervalMs: 0,
  maxQueueBytes: 0,
  maxEventBytes: 0,
  maxRequestsInFlight: 0,
  batchIds: 0,
  overflow: 0,
  spool: 0,
  compression: 0,
  requestTimeoutMs: 0,
  minRetryDelayMs: 0,
  maxRetryDelayMs: 0,
  closeTimeoutMs: 0,
  flushOnSignals: 0,
  onDrop: 0,
  onWarning: 0,
  onRecovered: 0,
} satisfies Record<keyof IngesterOptions, 0>);

/** pino and thread-stream give a worker ten seconds to end. */
const MAX_CLOSE_TIMEOUT_MS = 9_000;

export interface ResolvedIngesterOptions {
  readonly connection: ResolvedConnectionOptions;
  readonly token: string;
  /** Below `api/v1/`. */
  readonly endpoint: string;
  readonly tags: Tags;
  readonly tagFields: readonly string[];
  /** A batch with this many is sent if nothing else is under way. */
  readonly fullBatchRecords: number;
  /** No batch has more. */
  readonly maxBatchRecords: number;
  readonly maxBatchBytes: number;
  readonly flushIntervalMs: number;
  readonly maxQueueBytes: number;
  readonly maxEventBytes: number;
  readonly maxRequestsInFlight: number;
  readonly batchIds: boolean;
  readonly overflow: OverflowPolicy;
  readonly spool: ResolvedSpoolOptions | undefined;
  readonly compression: Compression;
  readonly requestTimeoutMs: number;
  readonly minRetryDelayMs: number;
  readonly maxRetryDelayMs: number;
  readonly closeTimeoutMs: number;
  readonly flushOnSignals: readonly FlushSignal[];
  readonly onDrop: ((drop: DroppedRecords) => void) | undefined;
  readonly onWarning: ((warning: Warning) => void) | undefined;
  readonly onRecovered: ((recovery: Recovery) => void) | undefined;
}

/**
 * @param owner who takes the options, for messages.
 * @throws LogOptionsException
 */
export function resolveIngesterOptions(
  options: IngesterOptions,
  owner = 'Ingester',
): ResolvedIngesterOptions {
  refuseUnknownOptions(owner, options, OPTION_NAMES);
  const count = (name: keyof IngesterOptions, fallback: number, max = MAX_TIMER_MS, min = 1): number =>
    options[name] === undefined ? fallback : requireInteger(owner, name, options[name], { min, max });
  const minRetryDelayMs = count('minRetryDelayMs', 1_000);
  return Object.freeze({
    connection: resolveConnectionOptions(owner, connectionOptionsOf(options)),
    ...resolveCredentials(owner, options),
    tags: resolveTags(owner, options.tags),
    tagFields: resolveTagFields(owner, options.tagFields),
    fullBatchRecords: count('maxBatchRecords', 5_000),
    maxBatchRecords: count('maxBatchRecords', Number.POSITIVE_INFINITY),
    maxBatchBytes: count('maxBatchBytes', 1024 * 1024),
    flushIntervalMs: count('flushIntervalMs', 1_000, MAX_TIMER_MS, 0),
    maxQueueBytes: count('maxQueueBytes', 8 * 1024 * 1024, Number.MAX_SAFE_INTEGER),
    maxEventBytes: count('maxEventBytes', 1_000_000, Number.MAX_SAFE_INTEGER, 1024),
    maxRequestsInFlight: count('maxRequestsInFlight', 1, 64),
    batchIds: requireBoolean(owner, 'batchIds', options.batchIds ?? false),
    overflow: requireOneOf(owner, 'overflow', options.overflow ?? 'dropOldest', [
      'dropOldest',
      'dropNewest',
      'block',
    ]),
    spool: options.spool === undefined ? undefined : resolveSpoolOptions(`${owner} "spool"`, options.spool),
    compression: requireOneOf(owner, 'compression', options.compression ?? 'gzip', ['gzip', 'none']),
    requestTimeoutMs: count('requestTimeoutMs', 10_000),
    minRetryDelayMs,
    maxRetryDelayMs: count(
      'maxRetryDelayMs',
      Math.max(30_000, minRetryDelayMs),
      MAX_TIMER_MS,
      minRetryDelayMs,
    ),
    closeTimeoutMs: count('closeTimeoutMs', 5_000, MAX_CLOSE_TIMEOUT_MS),
    flushOnSignals: resolveFlushSignals(owner, options.flushOnSignals),
    onDrop: resolveHook(owner, 'onDrop', options.onDrop),
    onWarning: resolveHook(owner, 'onWarning', options.onWarning),
    onRecovered: resolveHook(owner, 'onRecovered', options.onRecovered),
  });
}

function connectionOptionsOf({ agent, baseUrl, fetch, headers }: IngesterOptions): ConnectionOptions {
  return { agent, baseUrl, fetch, headers };
}

function resolveCredentials(
  owner: string,
  { ingestToken, userToken, repository }: IngesterOptions,
): { token: string; endpoint: string } {
  if (ingestToken !== undefined && userToken !== undefined) {
    throw new LogOptionsException(`${owner}: pass "ingestToken" or "userToken", not both.`);
  }
  const ingest = userToken === undefined ? (ingestToken ?? fromEnvironment('ingestToken')) : undefined;
  if (ingest !== undefined) {
    return { token: requireToken(owner, 'ingestToken', ingest), endpoint: 'ingest/humio-structured' };
  }
  const user = userToken ?? fromEnvironment('userToken');
  if (user === undefined) {
    throw new LogOptionsException(
      `${owner} needs a token: pass "ingestToken" (or "userToken" and "repository"), or set ${environmentNames('ingestToken')}.`,
    );
  }
  const target = repository ?? fromEnvironment('repository');
  if (target === undefined) {
    throw new LogOptionsException(
      `${owner}: a "userToken" needs a "repository". Pass it or set ${environmentNames('repository')}.`,
    );
  }
  const name = requireText(owner, 'repository', target);
  return { token: requireToken(owner, 'userToken', user), endpoint: path`repositories/${name}/ingest` };
}

function resolveTags(owner: string, tags: unknown = {}): Tags {
  if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) {
    throw new LogOptionsException(
      `${owner}: "tags" must be an object such as { service: 'shop' } (got ${describe(tags)}).`,
    );
  }
  for (const [name, value] of Object.entries(tags)) {
    if (name === '' || name.startsWith('#')) {
      throw new LogOptionsException(`${owner}: the tag name "${name}" must not start with "#".`);
    }
    requireText(owner, `tags.${name}`, value);
  }
  return Object.freeze({ ...tags });
}

function resolveTagFields(owner: string, tagFields: unknown = []): readonly string[] {
  if (!Array.isArray(tagFields)) {
    throw new LogOptionsException(
      `${owner}: "tagFields" must be an array of field names (got ${describe(tagFields)}).`,
    );
  }
  return Object.freeze(tagFields.map((name, index) => requireText(owner, `tagFields[${index}]`, name)));
}

function resolveHook<Hook>(owner: string, name: string, hook: Hook | undefined): Hook | undefined {
  if (hook === undefined || typeof hook === 'function') return hook;
  throw new LogOptionsException(`${owner}: "${name}" must be a function (got ${describe(hook)}).`);
}
