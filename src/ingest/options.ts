import {
  discoverLocalServer,
  type FoundServer,
  unusedServerSentence,
} from '../core/discovery/local-servers.ts';
import { environmentName, firstSet, fromEnvironment, nameHint, nameOfSetting } from '../core/environment.ts';
import { LogOptionsException } from '../core/errors.ts';
import {
  CONNECTION_OPTION_NAMES,
  type ConnectionOptions,
  resolveConnectionOptions,
} from '../core/http/node/connection-options.ts';
import { path } from '../core/http/path.ts';
import { isLoopbackName } from '../core/loopback.ts';
import {
  type Checked,
  refuseUnknownOptions,
  rejectPair,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireObject,
  requireOneOf,
  requireOptions,
  requireText,
  requireTexts,
  requireToken,
  resolveAll,
} from '../core/option-checks.ts';
import { requireTagName } from '../core/string-map.ts';
import { MAX_TIMER_MS } from '../core/timer-limit.ts';
import { tryOr } from '../core/try-or.ts';
import { EVENTS, LINES, messages, type TextHandling } from './batch/batch-format.ts';
import type { Compression } from './batch/encoded-batch.ts';
import {
  HEC_OPTION_NAMES,
  type HecOptions,
  type ResolvedHecOptions,
  resolveHecOptions,
} from './hec-options.ts';
import { type FlushSignal, resolveFlushSignals } from './process/process-signals.ts';
import type { Tags } from './record/tags.ts';
import { type RedactOptions, resolveRedactKeys, resolveRedactOptions } from './redact-options.ts';
import type { DeliveryHooks } from './report/delivery-emitter.ts';
import type { DroppedRecords } from './report/delivery-event.ts';
import { resolveSpoolOptions, type SpoolOptions } from './spool/spool-options.ts';

export { type RedactOptions, resolveRedactKeys, resolveRedactOptions };

/** Policy for new records when the queue is full. */
export type OverflowPolicy = 'dropOldest' | 'dropNewest' | 'block';

/** Options for destination, batching, queueing and retries. */
export interface IngesterOptions
  extends Omit<ConnectionOptions, 'timeoutMs'>,
    HecOptions,
    Omit<DeliveryHooks, 'onDrop'> {
  /** Ingest token, which also determines the repository; for `hec`, the API key or token. @default LOGSCALE_INGEST_TOKEN from the environment */
  ingestToken?: string | undefined;
  /**
   * User API token, as an alternative to an ingest token. Requires `repository`.
   *
   * @default LOGSCALE_TOKEN, LOGSCALE_API_TOKEN or HUMIO_TOKEN from the environment, if there is no ingest token
   */
  userToken?: string | undefined;
  /** Repository to send to with a `userToken`. @default LOGSCALE_REPOSITORY from the environment */
  repository?: string | undefined;
  /**
   * Tags of every record, instead of LOGSCALE_TAGS, with few values each. Those whose value is `undefined` are not added.
   *
   * @default LOGSCALE_TAGS from the environment, such as `service=shop,env=production`, else none
   */
  tags?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Fields whose values also become tags. Use only fields with few distinct values, such as `level`.
   *
   * @default none
   */
  tagFields?: readonly string[] | undefined;
  /**
   * Replaces secrets in records before they are queued, spooled or sent: values of fields with these names, and parts of
   * strings that match a pattern. `true` means the default patterns.
   *
   * @default false, or LOGSCALE_REDACT from the environment: `true`, or names of fields such as `ssn,customerName`
   */
  redact?: boolean | RedactOptions | undefined;
  /**
   * Maximum number of records per batch. A batch is sent when it is full.
   *
   * @default batches are sent at 5_000 records, but grow up to `maxBatchBytes` while requests are in flight
   */
  maxBatchRecords?: number | undefined;
  /**
   * Maximum size of the events in a batch, in bytes before compression. It is lowered to a quarter of `maxQueueBytes`, but
   * not below 16 KiB.
   *
   * @default 1_048_576 (1 MiB)
   */
  maxBatchBytes?: number | undefined;
  /**
   * Maximum time a record waits for its batch to fill, in milliseconds.
   *
   * @default 1_000, or LOGSCALE_FLUSH_INTERVAL_MS from the environment
   */
  flushIntervalMs?: number | undefined;
  /**
   * Maximum memory for queued and unconfirmed events, in bytes; see `overflow`. Waiting batches are already compressed.
   * If delivery runs on the main thread, raise it above the compressed size of a burst in one event loop turn, use
   * `overflow: 'block'`, or deliver from a worker, which applies backpressure.
   *
   * @default 8_388_608 (8 MiB)
   */
  maxQueueBytes?: number | undefined;
  /**
   * Maximum size of an event, in bytes. If an event is larger, its longest strings are truncated and marked. Without
   * truncation, the service would remove all fields of the event.
   *
   * @default 1_000_000 (1 MB)
   */
  maxEventBytes?: number | undefined;
  /**
   * Maximum number of concurrent requests. Values above 1 increase throughput over slow connections, but after a retry,
   * records from different requests can arrive out of order.
   *
   * @default 1
   */
  maxRequestsInFlight?: number | undefined;
  /**
   * Adds the fields `batchId` (one per transport) and `seq` to each event. Together, they identify it uniquely. If an
   * acknowledgment is lost, a batch arrives twice; use them to remove duplicates.
   *
   * @default false
   */
  batchIds?: boolean | undefined;
  /**
   * Policy for new records when the queue is full. `dropOldest` drops the oldest records, and `dropNewest` drops the
   * new record. `block` rejects the new record, so that the caller can wait for `drained()` and add it again.
   *
   * @default 'dropOldest'
   */
  overflow?: OverflowPolicy | undefined;
  /**
   * Keeps records on a local disk until they are delivered, so that they survive outages, restarts and SIGKILL. The
   * spool is limited by its own `maxBytes` instead of `maxQueueBytes`.
   *
   * @default no spool; records are queued in memory
   */
  spool?: SpoolOptions | undefined;
  /** Compression of request bodies. `gzip` runs off the event loop. @default 'gzip' */
  compression?: Compression | undefined;
  /** Timeout for one request, in milliseconds. After a timeout, the batch is retried. @default 10_000 */
  requestTimeoutMs?: number | undefined;
  /**
   * Initial retry delay, in milliseconds. It doubles with each attempt up to `maxRetryDelayMs` (full jitter).
   *
   * @default 1_000
   */
  minRetryDelayMs?: number | undefined;
  /**
   * Maximum retry delay, in milliseconds. If the service requests a longer delay with `Retry-After`, logclient waits at
   * least that long, and adds a random delay of up to the same time, but not more than `maxRetryDelayMs`.
   *
   * @default 30_000, or 2_000 if the service runs on this computer (a loopback address)
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * Maximum time that `close()` and process exit spend delivering queued records, in milliseconds. At most 9,000,
   * because loggers stop waiting after 10 s.
   *
   * @default 5_000
   */
  closeTimeoutMs?: number | undefined;
  /**
   * When the process receives one of these signals, delivers queued records for up to `closeTimeoutMs`, on SIGINT (Ctrl-C)
   * for up to 1 s, then exits with the signal. `true` means SIGTERM and SIGINT, `false` means none. If your program handles
   * the signal itself, await `close()` in the handler. Worker threads receive no signals, and Windows no SIGTERM.
   *
   * @default ['SIGTERM', 'SIGINT']
   */
  flushOnSignals?: boolean | readonly FlushSignal[] | undefined;
  /**
   * Called with dropped records, unless the hook's own logging causes the drop. If a worker delivers the records, the
   * hook runs on the main thread and receives no `events`.
   */
  onDrop?: ((drop: DroppedRecords) => void) | undefined;
}

/** pino and thread-stream give a worker ten seconds to end. */
const MAX_CLOSE_TIMEOUT_MS = 9_000;

const CREDENTIALS = ['ingestToken', 'userToken', 'repository'] as const;

type DestinationOption = keyof ConnectionOptions | keyof HecOptions | (typeof CREDENTIALS)[number];

interface Credentials {
  readonly token: string;
  /** Why records go nowhere: nothing is set, and no local server is running. They are dropped and counted. */
  readonly noDestination?: string | undefined;
  /** Path below the address. */
  readonly endpoint: string;
  /** The endpoint for lines of text. */
  readonly textEndpoint: string;
}

export interface ResolvedIngesterOptions
  extends Readonly<ReturnType<typeof resolveDestination>>,
    Checked<Limits>,
    Checked<ReturnType<typeof checksOf>> {
  /** The local server that was found because no service was set. */
  readonly localServer: FoundServer | undefined;
  /** Variable of {@link localServer} with the token. */
  readonly tokenVariable: 'LOGSCALE_INGEST_TOKEN' | 'LOGSCALE_TOKEN';
  /** A batch with this many records is sent if no request is in flight. */
  readonly fullBatchRecords: number;
  readonly maxRetryDelayMs: number;
}

/** What a logger adds: names of its own options, what to do instead of an option, and functions that only throw. */
export interface LoggerChecks {
  readonly own?: readonly string[];
  readonly advice?: Readonly<Record<string, string>>;
  readonly rejections?: readonly (() => void)[];
}

/** @throws LogOptionsException */
export function resolveIngesterOptions(
  options: IngesterOptions,
  owner = 'Ingester',
  { own = [], advice, rejections = [] }: LoggerChecks = {},
): ResolvedIngesterOptions {
  requireOptions(owner, options);
  const localServer = discoverLocalServer(options, 'ingest');
  const settings =
    localServer === undefined ? options : { ...options, ...localServerOptions(localServer, options) };
  const { destination, limits, ...others } = resolveAll(
    {
      destination: () => resolveDestination(owner, settings),
      limits: () => resolveLimits(owner, options),
      ...checksOf(owner, options),
    },
    [() => refuseUnknownOptions(owner, options, [...own, ...OPTION_NAMES], advice), ...rejections],
  );
  const longestDelayMs = isLoopbackName(destination.connection.baseUrl.hostname) ? 2_000 : 30_000;
  return Object.freeze({
    ...destination,
    ...limits,
    ...others,
    fullBatchRecords: options.maxBatchRecords ?? 5_000,
    spool: destination.noDestination === undefined ? others.spool : undefined,
    maxRetryDelayMs: limits.maxRetryDelayMs ?? Math.max(longestDelayMs, limits.minRetryDelayMs),
    localServer,
    tokenVariable: options.repository === undefined ? 'LOGSCALE_INGEST_TOKEN' : 'LOGSCALE_TOKEN',
  });
}

function checksOf(owner: string, options: IngesterOptions) {
  const { batchIds = false, overflow = 'dropOldest', compression = 'gzip' } = options;
  return {
    tags: () => resolveTags(owner, options.tags),
    tagFields: () => requireTexts(owner, 'tagFields', options.tagFields),
    redact: () => resolveRedactOptions(owner, options.redact),
    batchIds: () => requireBoolean(owner, 'batchIds', batchIds),
    overflow: () => requireOneOf(owner, 'overflow', overflow, ['dropOldest', 'dropNewest', 'block']),
    spool: () =>
      options.spool === undefined ? undefined : resolveSpoolOptions(`${owner} "spool"`, options.spool),
    compression: () => requireOneOf(owner, 'compression', compression, ['gzip', 'none']),
    flushOnSignals: () => resolveFlushSignals(owner, options.flushOnSignals),
    onDrop: () => requireFunction(owner, 'onDrop', options.onDrop),
    onWarning: () => requireFunction(owner, 'onWarning', options.onWarning),
    onRecovered: () => requireFunction(owner, 'onRecovered', options.onRecovered),
  } satisfies Record<Exclude<keyof IngesterOptions, DestinationOption | keyof Limits>, () => unknown>;
}

type Limits = ReturnType<typeof limitsOf>;

/** The numbers among the options. `maxRetryDelayMs` has no default here, because that depends on the address. */
function limitsOf(owner: string, options: IngesterOptions) {
  const count = <Fallback extends number | undefined>(
    name: keyof IngesterOptions,
    fallback: Fallback,
    max = MAX_TIMER_MS,
    min = 1,
  ): number | Fallback =>
    options[name] === undefined ? fallback : requireInteger(owner, name, options[name], { min, max });
  return {
    maxBatchRecords: () => count('maxBatchRecords', Number.POSITIVE_INFINITY),
    maxBatchBytes: () => count('maxBatchBytes', 1_048_576),
    flushIntervalMs: () => count('flushIntervalMs', defaultFlushIntervalMs(owner), MAX_TIMER_MS, 0),
    maxQueueBytes: () => count('maxQueueBytes', 8_388_608, Number.MAX_SAFE_INTEGER),
    maxEventBytes: () => count('maxEventBytes', 1_000_000, Number.MAX_SAFE_INTEGER, 1024),
    maxRequestsInFlight: () => count('maxRequestsInFlight', 1, 64),
    requestTimeoutMs: () => count('requestTimeoutMs', 10_000),
    minRetryDelayMs: () => count('minRetryDelayMs', 1_000),
    maxRetryDelayMs: () => count('maxRetryDelayMs', undefined),
    closeTimeoutMs: () => count('closeTimeoutMs', 5_000, MAX_CLOSE_TIMEOUT_MS),
  };
}

/** Every option by name. */
export const OPTION_NAMES: readonly string[] = [
  ...CONNECTION_OPTION_NAMES.filter((name) => name !== 'timeoutMs'),
  ...HEC_OPTION_NAMES,
  ...CREDENTIALS,
  ...Object.keys(limitsOf('', {})),
  ...Object.keys(checksOf('', {})),
];

function resolveLimits(owner: string, options: IngesterOptions) {
  const limits = resolveAll(limitsOf(owner, options));
  const { minRetryDelayMs: min, maxRetryDelayMs: max = min } = limits;
  if (max >= min) return limits;
  throw new LogOptionsException(
    `${owner}: "maxRetryDelayMs" (${max}) must be at least "minRetryDelayMs" (${min}). Lower "minRetryDelayMs", too.`,
  );
}

/** Options for lines of text as JSON strings. The service parses them, so they are never shortened. */
export function forText(options: ResolvedIngesterOptions, handling: TextHandling): ResolvedIngesterOptions {
  const { textEndpoint: endpoint, hec, tags } = options;
  const unlimited = { ...options, maxEventBytes: Number.POSITIVE_INFINITY };
  if (hec === undefined) return { ...unlimited, endpoint, format: messages(handling) };
  const { parser: sourcetype = hec.sourcetype, fields } = handling;
  const metadata = sourcetype === undefined ? hec : { ...hec, sourcetype };
  return { ...unlimited, hec: metadata, tags: { ...tags, ...fields } };
}

function localServerOptions(
  { variables }: FoundServer,
  { repository, format, ingestUrl }: IngesterOptions,
): IngesterOptions {
  if (repository !== undefined) {
    return { baseUrl: variables.LOGSCALE_URL, userToken: variables.LOGSCALE_TOKEN, repository };
  }
  return {
    baseUrl: variables.LOGSCALE_URL,
    format: (variables.LOGSCALE_FORMAT as IngesterOptions['format']) ?? format,
    ingestUrl: variables.LOGSCALE_INGEST_URL ?? ingestUrl,
    ingestToken: variables.LOGSCALE_INGEST_TOKEN,
  };
}

function resolveDestination(owner: string, options: IngesterOptions) {
  const resolveHec = (): ResolvedHecOptions | undefined => resolveHecOptions(owner, options);
  const collector = tryOr(undefined, resolveHec);
  const { hec, connection, credentials } = resolveAll({
    hec: resolveHec,
    connection: () => {
      const token = options.userToken === undefined ? 'ingestToken' : 'userToken';
      return resolveConnectionOptions(owner, { ...options, ...collector }, token);
    },
    credentials: () => resolveCredentials(owner, options, collector),
  });
  const isDefaultAddress = hec === undefined && (options.baseUrl ?? fromEnvironment('baseUrl')) === undefined;
  if (isDefaultAddress && process.env.NODE_ENV === 'production') {
    throw new LogOptionsException(
      `${owner} needs an address, because NODE_ENV is production. Pass "baseUrl" or set ${environmentName('baseUrl')}.`,
    );
  }
  return {
    connection,
    /** True if no address was set, neither as an option nor in the environment. */
    isDefaultAddress,
    format: hec === undefined ? EVENTS : LINES,
    /** `undefined` for the structured format. */
    hec: hec?.metadata,
    /** Scheme of the header `authorization`. */
    authScheme: hec?.authScheme ?? 'Bearer',
    ...credentials,
  };
}

const BY_INGEST_TOKEN = {
  endpoint: 'api/v1/ingest/humio-structured',
  textEndpoint: 'api/v1/ingest/humio-unstructured',
} as const;

function defaultFlushIntervalMs(owner: string): number {
  const text = fromEnvironment('flushIntervalMs');
  if (text === undefined) return 1_000;
  const value = Number.isNaN(Number(text)) ? text : Number(text);
  return requireInteger(owner, environmentName('flushIntervalMs'), value, { max: MAX_TIMER_MS });
}

function resolveCredentials(
  owner: string,
  options: IngesterOptions,
  collector: ResolvedHecOptions | undefined,
): Credentials {
  rejectPair(owner, options, 'ingestToken', 'userToken');
  const fallback = options.userToken === undefined || collector ? fromEnvironment('ingestToken') : undefined;
  const { ingestToken: ingest = fallback, repository = fromEnvironment('repository') } = options;
  if (ingest !== undefined) {
    const token = requireToken(owner, nameOfSetting('ingestToken', options.ingestToken), ingest);
    if (collector === undefined) return { token, ...BY_INGEST_TOKEN };
    return { token, endpoint: collector.endpoint, textEndpoint: collector.endpoint };
  }
  if (collector !== undefined) {
    throw new LogOptionsException(
      `${owner}: the format "hec" needs an API key or a token. Pass it as "ingestToken" or set ${environmentName('ingestToken')}.`,
    );
  }
  const { userToken: user = fromEnvironment('userToken') } = options;
  if (user === undefined) return withoutToken(owner, options);
  const source = nameOfSetting('userToken', options.userToken);
  if (repository === undefined) {
    throw new LogOptionsException(
      `${owner}: "${source}" needs a "repository". Pass it or set ${environmentName('repository')}.`,
    );
  }
  const { name, token } = resolveAll({
    name: () => requireText(owner, 'repository', repository),
    token: () => requireToken(owner, source, user),
  });
  return {
    token,
    endpoint: path`api/v1/repositories/${name}/ingest`,
    textEndpoint: path`api/v1/repositories/${name}/ingest-messages`,
  };
}

/** A logger must not stop a program on a machine without settings. @throws LogOptionsException in production, or with an address. */
function withoutToken(owner: string, { baseUrl, ingestUrl }: IngesterOptions): Credentials {
  const hasAddress = (baseUrl ?? ingestUrl ?? firstSet('baseUrl', 'ingestUrl')) !== undefined;
  const variables = hasAddress ? 'LOGSCALE_INGEST_TOKEN' : 'LOGSCALE_URL and LOGSCALE_INGEST_TOKEN';
  const set =
    owner === 'logclient/auto' ? 'Set' : 'Pass "ingestToken" (or "userToken" and "repository"), or set';
  const problem =
    `${owner} needs a token. ${set} ${variables}. To use a local server, run "npx logclient dev node app.js" with your program. ${nameHint() || unusedServerSentence()}`.trimEnd();
  if (hasAddress || process.env.NODE_ENV === 'production') throw new LogOptionsException(problem);
  return { token: '', noDestination: problem, ...BY_INGEST_TOKEN };
}

export function resolveTags(owner: string, tags: unknown = defaultTags(owner)): Tags {
  const given = requireObject(owner, '"tags"', tags, " such as { service: 'shop' }");
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    requireTagName(owner, name);
    requireText(owner, `tags.${name}`, value);
  }
  return Object.freeze(Object.fromEntries(entries));
}

function defaultTags(owner: string): Tags {
  const entries = fromEnvironment('tags')?.split(',') ?? [];
  const tags = entries.map((entry) => {
    const [, name, value] = /^\s*([^\s=#][^\s=]*)\s*=\s*(\S.*?)\s*$/.exec(entry) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new LogOptionsException(
      `${owner}: ${environmentName('tags')} must have the form "service=shop,env=production" (got "${entry.trim()}").`,
    );
  });
  return Object.fromEntries(tags);
}
