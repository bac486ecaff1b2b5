import { LogException } from '../errors.ts';
import type { LogClient, LogEvent } from '../index.ts';
import type { Faults, LocalServer, ServerClock } from '../local-server/index.ts';
import {
  type LogExpectation,
  type ResolvedExpectation,
  resolveExpectation,
} from './expectations/expectation.ts';
import { type LogTestOptions, resolveLogTestOptions } from './log-test-options.ts';
import {
  type CapturableLogger,
  type CaptureOptions,
  captureLogger,
  type LoggerCapture,
  refuseSecondCapture,
} from './loggers/logger-capture.ts';
import { flusherOf } from './loggers/tracked-logger.ts';
import { LogSource, type LookOptions, refuseUnknownLookOptions } from './looks/log-source.ts';
import { LOOK_TARGET, type LookTarget } from './looks/look-target.ts';
import { closedException, OpenLooks } from './looks/open-looks.ts';
import { stayAlive } from './looks/stay-alive.ts';
import { forgetLogTest, noteLogTest, type ReportedLogs } from './report/test-logs.ts';
import { openTestRepository, type TestRepository } from './test-repository.ts';

/** What a transport or an ingest client needs to ship to a test: plain data, fit for workers, too. */
export interface LogTestConnection {
  readonly baseUrl: string;
  readonly ingestToken: string;
}

/** A repository for the logs of one test, and what is needed to log to it and to look at it. */
export class LogTest implements AsyncDisposable {
  /** A client for {@link repository}. */
  readonly client: LogClient;
  /** Where matchers look. */
  readonly [LOOK_TARGET]: LookTarget;
  readonly #repository: TestRepository;
  readonly #source: LogSource;
  readonly #looks = new OpenLooks();
  readonly #captures = new Map<object, LoggerCapture>();
  readonly #flushers = new Set<() => Promise<unknown>>();
  readonly #reported: ReportedLogs;
  #closed: Promise<void> | undefined;

  /** Made by {@link startLogTest}. */
  constructor(repository: TestRepository) {
    this.#repository = repository;
    this.client = repository.client;
    this.#source = new LogSource(this.client, () => this.#flush());
    this[LOOK_TARGET] = {
      source: this.#source,
      looks: this.#looks,
      hints: () => this.#hints(),
      undelivered: () => [...this.#captures.values()].map((capture) => capture.undelivered()).filter(isText),
    };
    this.#reported = {
      records: () => this.#records({ kind: 'query', queryString: '*' }),
      settleForgotten: () => this.#looks.settleForgotten(),
    };
    noteLogTest(this.#reported);
  }

  // Getters, for runners show the members of what they compare, and nobody should read tokens there.

  /** The address of the server. */
  get baseUrl(): string {
    return this.#repository.url;
  }

  /** The name of the repository. */
  get repository(): string {
    return this.#repository.repository;
  }

  /** May do everything. */
  get userToken(): string {
    return this.#repository.userToken;
  }

  /** May ingest, into {@link repository}. */
  get ingestToken(): string {
    return this.#repository.ingestToken;
  }

  /** The options that make a transport ship here: `pino.transport({ target: 'logclient/pino', options: logs.connection })`. */
  get connection(): LogTestConnection {
    return { baseUrl: this.baseUrl, ingestToken: this.ingestToken };
  }

  /** The same as variables of the environment, for a child process. */
  get env(): Record<string, string> {
    return {
      LOGSCALE_URL: this.baseUrl,
      LOGSCALE_REPOSITORY: this.repository,
      LOGSCALE_TOKEN: this.userToken,
      LOGSCALE_INGEST_TOKEN: this.ingestToken,
    };
  }

  /** The server. @throws LogException when it is not one of this process. */
  get server(): LocalServer {
    if (this.#repository.server !== undefined) return this.#repository.server;
    throw new LogException(
      'The server is not one of this process, so that its clock and faults are out of reach.',
    );
  }

  /**
   * The server's time, to be stopped and moved: what a query means by `now` and `5 minutes` before. It does not move the
   * times that loggers write.
   */
  get clock(): ServerClock {
    return this.server.clock;
  }

  /** Scripted trouble with the server. */
  get faults(): Faults {
    return this.server.faults;
  }

  /**
   * Ships a copy of what a pino logger (9.10 or later, with its children) or a winston logger logs from here on. The
   * logger goes on as before, unless `quiet` is set, and is left as it was in the end.
   *
   * @returns what ends the capture earlier.
   * @throws LogOptionsException for anything else, and for a logger that is captured already, also with its parent.
   */
  capture(logger: CapturableLogger, options?: CaptureOptions): () => Promise<void> {
    this.#requireOpen('capture');
    const { server } = this.#repository;
    const connection = server ? { ...this.connection, fetch: server.fetch } : this.connection;
    refuseSecondCapture(logger, this.#captures.keys());
    const capture = captureLogger(logger, connection, options);
    this.#captures.set(logger, capture);
    return async () => {
      if (this.#captures.get(logger) !== capture) return;
      // What has arrived stays.
      this.#captures.delete(logger);
      await capture.stop();
    };
  }

  /**
   * Has a logger flushed before each look that ships here by itself: a pino logger with a stream or a transport of
   * `logclient/pino`, a winston logger with a `LogTransport`, one of these, or an `Ingester`.
   *
   * @throws LogOptionsException for what can't be flushed.
   */
  track(shipper: object): void {
    this.#requireOpen('track');
    this.#flushers.add(flusherOf(shipper));
  }

  /** Resolves when everything has arrived that captured and tracked loggers have logged. */
  async flush(): Promise<void> {
    this.#requireOpen('flush');
    await stayAlive(this.#flush());
  }

  async #flush(): Promise<void> {
    await Promise.all([
      ...[...this.#captures.values()].map((capture) => capture.flush()),
      ...[...this.#flushers].map((flush) => flush()),
    ]);
  }

  /**
   * The records that have arrived, oldest first; all of them, or those that a query or fields fit.
   *
   * @throws LogOptionsException for a query that can't be run.
   */
  async records(expectation: LogExpectation = '*', options: LookOptions = {}): Promise<LogEvent[]> {
    this.#requireOpen('records');
    refuseUnknownLookOptions('records', options);
    return this.#records(resolveExpectation('records', expectation), options);
  }

  #records(expectation: ResolvedExpectation, options: LookOptions = {}): Promise<LogEvent[]> {
    return stayAlive(this.#flush().then(() => this.#source.find(expectation, options)));
  }

  /**
   * Lets go of the loggers and the repository. Safe to call more than once.
   *
   * @throws LogException when the `await` of a look was forgotten, with the look's own message when it has failed.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    try {
      await this.#looks.end();
    } finally {
      const captures = [...this.#captures.values()];
      this.#captures.clear();
      await Promise.all(captures.map((capture) => capture.stop()));
      await forgetLogTest(this.#reported);
      await this.#repository.close();
    }
  }

  #requireOpen(name: string): void {
    if (this.#closed !== undefined) throw closedException(name);
  }

  #hints(): string[] {
    const hints = [...this.#captures.values()].map((capture) => capture.hint()).filter(isText);
    if (this.#captures.size > 0 || this.#flushers.size > 0) return hints;
    return [
      'No logger is captured: logs.capture(logger). One that ships here by itself may need time: logs.track(logger).',
    ];
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

/**
 * Starts a server for one test, with an empty repository.
 *
 * @example
 * await using logs = await startLogTest();
 * logs.capture(logger);
 *
 * @throws LogOptionsException
 */
export async function startLogTest(options: LogTestOptions = {}): Promise<LogTest> {
  return new LogTest(await openTestRepository(resolveLogTestOptions(options)));
}

/**
 * {@link startLogTest} and {@link LogTest.capture} in one: `const logs = await captureLogs(logger)`.
 *
 * @throws LogOptionsException
 */
export async function captureLogs(
  logger: CapturableLogger,
  { quiet, ...options }: LogTestOptions & CaptureOptions = {},
): Promise<LogTest> {
  const logs = await startLogTest(options);
  try {
    logs.capture(logger, { quiet });
    return logs;
  } catch (error) {
    await logs.close();
    throw error;
  }
}
