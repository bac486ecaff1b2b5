import { inspect } from 'node:util';
import { LogException, LogOptionsException } from '../core/errors.ts';
import { keepAlive } from '../core/keep-alive.ts';
import { refuseUnknownOptions } from '../core/option-checks.ts';
import { LogClient, type LogEvent } from '../index.ts';
import { resolveRedactOptions } from '../ingest/options.ts';
import { settlesWithin } from '../ingest/settles-within.ts';
import type { Fault, FaultHandle, Faults, LocalServer, ServerClock } from '../server/index.ts';
import { withCallerFrames } from './assertions/caller-frames.ts';
import { requireEvidence } from './assertions/evidence.ts';
import { guardClient } from './assertions/guarded-client.ts';
import { closedException, PendingAssertions } from './assertions/pending-assertions.ts';
import { ASSERTION_TARGET, type AssertionTarget } from './assertions/verdict.ts';
import type { LogExpectation } from './expectations/expectation.ts';
import { type LoggedRecord, loggedRecord, snapshotOf } from './expectations/logged-fields.ts';
import { type AssertionOptions, isOfEvents, LogSource, resolveSearch } from './log-source.ts';
import { LOG_TEST_OPTIONS, type LogTestOptions, resolveLogTestOptions } from './log-test-options.ts';
import {
  type CapturedLogger,
  fakeTimers,
  losses,
  lost,
  type TestedLogger,
  undelivered,
} from './loggers/capture-delivery.ts';
import {
  CAPTURE_OPTIONS,
  type CapturableLogger,
  type CaptureOptions,
  captureLogger,
  refuseSecond,
} from './loggers/logger-capture.ts';
import { consoleShippers, trackLogger } from './loggers/tracked-logger.ts';
import { ReportMask } from './report/report-mask.ts';
import { forgetLogTest, noteLogTest } from './report/test-logs.ts';
import { openTestRepository, type TestRepository } from './test-repository.ts';

/** Connection options for a transport or an ingest client. Plain data, so it can be passed to a worker. */
export interface LogTestConnection {
  readonly baseUrl: string;
  readonly ingestToken: string;
}

/** With simulated failures of the server, a flush could outlast the test. */
const FLUSH_LIMIT_MS = 2_000;

/** A repository for the logs of one test, with methods to capture loggers and read records. */
export class LogTest implements AsyncDisposable {
  /** A client for {@link repository}. Its queries flush the loggers first; `waitFor()` checks and explains as matchers do. */
  readonly client: LogClient;
  /** Used by the matchers. */
  readonly [ASSERTION_TARGET]: AssertionTarget;
  readonly #repository: TestRepository;
  readonly #source: LogSource;
  readonly #assertions = new PendingAssertions();
  readonly #captures = new Map<object, CapturedLogger>();
  /** The latest capture of each logger that has ended. */
  readonly #ended = new Map<object, CapturedLogger>();
  readonly #tracked = new Map<object, TestedLogger>();
  readonly #redact: LogTestOptions['redact'];
  readonly #loggers: TestedLogger[] = [];
  readonly #restores: (() => Promise<void>)[] = [];
  readonly #unread = new Map<FaultHandle, Fault>();
  #closed: Promise<void> | undefined;

  /** Use {@link startLogTest}. */
  constructor(repository: TestRepository, redact: LogTestOptions['redact']) {
    this.#repository = repository;
    this.#redact = redact;
    const { url: baseUrl, repository: name, userToken, server } = repository;
    this.client = new LogClient({ baseUrl, repository: name, userToken, fetch: server?.fetch });
    const mask = new ReportMask(resolveRedactOptions('startLogTest', redact));
    this.#source = new LogSource(repository.client, () => this.#flush(), mask);
    this[ASSERTION_TARGET] = { source: this.#source, pending: this.#assertions, loggers: this.#loggers };
    noteLogTest(this[ASSERTION_TARGET]);
    guardClient(this.client, this[ASSERTION_TARGET]);
  }

  // Getters: test runners print the own properties of compared values, which would show the tokens.

  /** Base URL of the server. */
  get baseUrl(): string {
    return this.#repository.url;
  }

  /** Name of the repository. */
  get repository(): string {
    return this.#repository.repository;
  }

  /** API token with all permissions. */
  get userToken(): string {
    return this.#repository.userToken;
  }

  /** Ingest token of {@link repository}. */
  get ingestToken(): string {
    return this.#repository.ingestToken;
  }

  /** Options that connect a transport to this server: `pino.transport({ target: 'logclient/pino', options: logs.connection })`. */
  get connection(): LogTestConnection {
    return { baseUrl: this.baseUrl, ingestToken: this.ingestToken };
  }

  /** Environment variables that connect a child process to this server. It sends each record within 10 ms. */
  get env(): Record<string, string> {
    return {
      LOGSCALE_URL: this.baseUrl,
      LOGSCALE_REPOSITORY: this.repository,
      LOGSCALE_TOKEN: this.userToken,
      LOGSCALE_INGEST_TOKEN: this.ingestToken,
      LOGSCALE_FLUSH_INTERVAL_MS: '10',
    };
  }

  /** The local server. @throws LogException if it runs in another process */
  get server(): LocalServer {
    if (this.#repository.server !== undefined) return this.#repository.server;
    throw new LogException('The server runs in another process, so its clock and faults are not available.');
  }

  /**
   * The server's clock, which you can stop and move. Queries use it for `now` and relative times such as `5 minutes`. It
   * does not affect the timestamps that loggers write.
   */
  get clock(): ServerClock {
    return this.server.clock;
  }

  /** Scripted failures of the server. `close()` fails if one has affected no request, unless the test reads its `hits` or removes it. */
  get faults(): Faults {
    const { faults } = this.server;
    return {
      ...faults,
      add: (fault) => {
        const handle = faults.add(fault);
        if (fault.probability === undefined) this.#unread.set(handle, fault);
        const get = (_: object, name: keyof FaultHandle): unknown => {
          this.#unread.delete(handle);
          return handle[name];
        };
        return new Proxy(handle, { get } as ProxyHandler<FaultHandle>);
      },
    };
  }

  /**
   * Sends a copy of each record that a logger writes from now on to this server. Supports winston, and pino 9.10 or
   * later with its child loggers. The logger's own output continues unless `quiet` is set. `close()` restores the logger.
   *
   * @returns a function that ends the capture before `close()`
   * @throws LogOptionsException if the value can't be captured, or if the logger, its parent or a child already is, or is tracked
   */
  capture(logger: CapturableLogger, options?: CaptureOptions): () => Promise<void> {
    this.#requireOpen('capture');
    const { server } = this.#repository;
    // Not from the environment: a test of what the code logs must not depend on it.
    const connection = { ...this.connection, fetch: server?.fetch, redact: this.#redact ?? false };
    refuseSecond('capture', logger, this.#captures.keys(), 'captured');
    refuseSecond('capture', logger, this.#tracked.keys(), 'tracked');
    const capture = captureLogger(logger, connection, options);
    this.#ended.get(logger)?.delivery.release();
    this.#captures.set(logger, capture);
    this.#loggers.push(capture);
    return () => this.#end(logger, capture);
  }

  /** Arrived records stay. Without any, the capture is no evidence that others are absent. */
  async #end(logger: object, capture: CapturedLogger): Promise<void> {
    if (this.#captures.get(logger) !== capture) return;
    this.#captures.delete(logger);
    this.#ended.set(logger, capture);
    await capture.stop();
    if (capture.delivery.delivered > 0 || undelivered([capture]).length > 0) return;
    capture.delivery.release();
    this.#loggers.splice(this.#loggers.indexOf(capture), 1);
  }

  /**
   * Flushes a logger before each assertion. For loggers that send to this server themselves: a pino logger with a stream
   * or transport of `logclient/pino`, a winston logger with a `LogTransport`, the stream or transport itself, or an
   * `Ingester`. `close()` restores a console, whose result of `captureConsole()` is tracked.
   *
   * @throws LogOptionsException if the value can't be flushed, or is captured
   */
  track(shipper: object): void {
    this.#requireOpen('track');
    this.#track(shipper);
    if (typeof shipper === 'function') this.#restores.push(shipper as () => Promise<void>);
  }

  #track(shipper: object): void {
    refuseSecond('track', shipper, this.#captures.keys(), 'captured');
    const known = this.#tracked.get(shipper);
    if (known !== undefined && lost([known]).length === 0) return;
    const tracked = trackLogger(shipper, this.baseUrl);
    known?.delivery.release();
    this.#tracked.set(shipper, tracked);
    this.#loggers.push(tracked);
  }

  /**
   * Resolves when all records of captured and tracked loggers are delivered.
   *
   * @throws LogException if the server doesn't accept them within two seconds, or if some were dropped
   */
  async flush(): Promise<void> {
    this.#requireOpen('flush');
    await this.#source.flushAll();
  }

  async #flush(): Promise<string[]> {
    if (this.#closed === undefined) for (const own of consoleShippers(this.baseUrl)) this.#track(own);
    const waiting = new Set(this.#loggers);
    const flushes = [...waiting].map((logger) => logger.flush().then(() => waiting.delete(logger)));
    await settlesWithin(Promise.all(flushes), FLUSH_LIMIT_MS);
    if (waiting.size === 0) return losses(this.#loggers);
    const head = `Not all records were delivered within ${FLUSH_LIMIT_MS} ms.`;
    const hit = [...this.#unread].find(([{ hits }]) => hits > 0);
    const cause = hit === undefined ? [] : [`The fault ${inspect(hit[1])} has affected a request.`];
    return [head, ...undelivered(this.#loggers), ...cause, ...fakeTimers()];
  }

  /**
   * Returns the delivered records that match a query or fields, oldest first, as they were logged: numbers, booleans and
   * nested objects, then the fields of the service. For a query with an aggregate, returns its rows. Default: all.
   *
   * @example
   * const [record] = await logs.records({ level: 'error' });
   * expect(record).toMatchObject({ amount: 10, err: { code: 'E1' } });
   *
   * @throws LogOptionsException if the query is invalid
   * @throws LogException if the server doesn't accept all records within two seconds
   */
  async records(expectation: LogExpectation = '*', options?: AssertionOptions): Promise<LoggedRecord[]> {
    return (await this.#find(this.records, expectation, options)).map(loggedRecord);
  }

  /**
   * Returns the matching records for `toMatchSnapshot()`: without times, process ID, host name, stack frames and the
   * fields of the service.
   *
   * @example
   * expect(await logs.snapshot('order=o-17')).toMatchInlineSnapshot();
   *
   * @throws LogOptionsException, LogException as {@link records}
   */
  async snapshot(expectation: LogExpectation = '*', options?: AssertionOptions): Promise<LoggedRecord[]> {
    return (await this.#find(this.snapshot, expectation, options)).map(snapshotOf);
  }

  #find(
    callee: { readonly name: string },
    expectation: LogExpectation,
    options: AssertionOptions = {},
  ): Promise<LogEvent[]> {
    return withCallerFrames(callee, async () => {
      this.#requireOpen(callee.name);
      const [resolved] = resolveSearch(callee.name, [expectation], options);
      await this.#source.flushAll();
      const rows = await keepAlive(this.#source.find(resolved!, options));
      // Without records, as after not.toHaveLogged().
      if (expectation !== '*' && (rows.length === 0 || !isOfEvents(rows)))
        await requireEvidence(this[ASSERTION_TARGET], { expectation: resolved!, searched: options });
      return rows;
    });
  }

  /**
   * Releases the loggers and deletes the repository. Safe to call more than once.
   *
   * @throws LogException if an assertion was not awaited; the message includes the failure of that assertion, if any
   * @throws LogOptionsException if a fault has affected no request
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
      await this.#assertions.close();
    } finally {
      const stops = [...[...this.#captures.values()].map(({ stop }) => stop), ...this.#restores];
      this.#captures.clear();
      const stopped = Promise.all(stops.map((stop) => stop()));
      // No caller waits for what the server didn't accept, unless it was dropped.
      if (this.#source.missing.length === losses(this.#loggers).length) await stopped;
      await forgetLogTest(this.#source);
      for (const { delivery } of this.#loggers) delivery.release();
      await this.#repository.close();
    }
    const idle = [...this.#unread].find(([{ hits }]) => hits === 0);
    if (idle === undefined || this.#assertions.haveFailed) return;
    throw new LogOptionsException(
      `The fault ${inspect(idle[1])} has affected no request, so this test did not test it. It spares captured loggers: track the transport instead. Or correct its "path", "method" or "after", or check the "hits" of what faults.add() returns.`,
    );
  }

  #requireOpen(name: string): void {
    if (this.#closed !== undefined) throw closedException(name);
  }
}

/**
 * Starts a server with an empty repository for one test.
 *
 * @example
 * await using logs = await startLogTest();
 * logs.capture(logger);
 *
 * @throws LogOptionsException
 */
export async function startLogTest(options: LogTestOptions = {}): Promise<LogTest> {
  return new LogTest(await openTestRepository(resolveLogTestOptions(options)), options.redact);
}

/**
 * Calls {@link startLogTest} and {@link LogTest.capture}: `const logs = await captureLogs(logger)`.
 *
 * @throws LogOptionsException
 */
export async function captureLogs(
  logger: CapturableLogger,
  options: LogTestOptions & CaptureOptions = {},
): Promise<LogTest> {
  refuseUnknownOptions('captureLogs', options, [...CAPTURE_OPTIONS, ...LOG_TEST_OPTIONS]);
  const { quiet, tags, ...others } = options;
  const logs = await startLogTest(others);
  try {
    logs.capture(logger, { quiet, tags });
    return logs;
  } catch (error) {
    await logs.close();
    throw error;
  }
}
