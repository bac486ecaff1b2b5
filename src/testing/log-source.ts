import { MAX_EPOCH_MS } from '../core/epoch.ts';
import { LogException, LogOptionsException } from '../core/errors.ts';
import { meantName } from '../core/nearest-name.ts';
import { refuseUnknownOptions } from '../core/option-checks.ts';
import { type LogClient, type LogEvent, LogQueryException, type TimePoint } from '../index.ts';
import { aggregateOf } from '../language/index.ts';
import { argumentProblems, parametersOf } from '../tools/sources/query-parameters.ts';
import {
  type LogExpectation,
  type ResolvedExpectation,
  resolveExpectation,
} from './expectations/expectation.ts';
import { fits } from './expectations/field-pattern.ts';
import { readsInstead, unfedQuery } from './expectations/query-term.ts';
import type { ReportMask } from './report/report-mask.ts';

/** Interval and arguments of a query on the records. */
export interface AssertionOptions {
  /** Start of the time range: epoch milliseconds, a `Date`, or a relative time such as `5 minutes`. @default 0 */
  start?: TimePoint | Date | undefined;
  /** End of the time range, in the same formats as `start`. @default no limit, so records dated in the future are included */
  end?: TimePoint | Date | undefined;
  /** IANA name of the time zone for the query. */
  timeZone?: string | undefined;
  /** Values for the parameters (`?name`) of the query. */
  arguments?: Readonly<Record<string, string | number | undefined>> | undefined;
}

/** The records of a test, for assertions. */
export class LogSource {
  readonly #client: LogClient;
  readonly #begunAt = Date.now();
  readonly #flush: () => Promise<readonly string[]>;
  /** Why the latest {@link flush} did not get all records; empty if it did. */
  missing: readonly string[] = [];
  /** Applied to what is shown. */
  readonly mask: ReportMask;

  constructor(client: LogClient, flush: () => Promise<readonly string[]>, mask: ReportMask) {
    this.#client = client;
    this.#flush = flush;
    this.mask = mask;
  }

  /** Waits for all records, for a limited time. @returns {@link missing} */
  async flush(): Promise<readonly string[]> {
    this.missing = await this.#flush();
    return this.missing;
  }

  /** @throws LogException if not all records are delivered */
  async flushAll(): Promise<void> {
    const missing = await this.flush();
    if (missing.length > 0) throw new LogException(missing.join('\n'), 'LOG_TIMEOUT');
  }

  /** Returns all records by time; records of the same millisecond in the order of their log calls. */
  records({ arguments: _, ...interval }: AssertionOptions): Promise<LogEvent[]> {
    return this.#rows('', interval);
  }

  /**
   * Returns the matching records in the same order, or the rows of an aggregate query.
   *
   * @throws LogOptionsException if the query is invalid
   */
  async find(expectation: ResolvedExpectation, options: AssertionOptions): Promise<LogEvent[]> {
    if (expectation.kind === 'query') return this.#rows(expectation.queryString, options);
    const patterns = [...expectation.patterns];
    const records = await this.records(options);
    return records.filter((record) => patterns.every(([name, pattern]) => fits(record, name, pattern)));
  }

  async #rows(queryString: string, options: AssertionOptions): Promise<LogEvent[]> {
    const rows: LogEvent[] = [];
    const { start = 0, end = MAX_EPOCH_MS } = options;
    const interval = { ...options, start, end };
    try {
      for await (const row of this.#client.streamingQuery(queryString, interval)) rows.push(row);
    } catch (error) {
      if (error instanceof LogQueryException)
        throw new LogOptionsException(`The query can't be run. ${error.message}`);
      // It names the method of the client.
      if (error instanceof LogOptionsException) error.message = error.message.replace(/^\w+: /, '');
      throw error;
    }
    if (!isOfEvents(rows)) return rows;
    const compare = (name: string, a: LogEvent, b: LogEvent): number => Number(a[name]) - Number(b[name]);
    return rows.sort((a, b) => compare('@timestamp', a, b) || compare('@timestamp.nanos', a, b));
  }

  /** Whether the time range contains a moment since the start of the test, or of a record. */
  async isPossible(range: AssertionOptions, records: readonly LogEvent[]): Promise<boolean> {
    if (range.start === undefined && range.end === undefined) return true;
    const query = 'createEvents("{}") | start := start() | end := end() | now := now()';
    const [row = {}] = await this.#rows(query, { ...range, arguments: undefined });
    const ofRecords = [records.at(0) ?? {}, records.at(-1) ?? {}].flatMap((each) => each['@timestamp'] ?? []);
    const moments = [this.#begunAt, Date.now(), row.now, ...ofRecords].map(Number);
    return Number(row.start) <= Math.max(...moments) && Number(row.end) >= Math.min(...moments);
  }

  /** @throws LogOptionsException if the query of these rows returns some even without input, as `count()` does, or reads a field that no record has */
  async requireInput(
    rows: readonly LogEvent[],
    query: ResolvedExpectation,
    options: AssertionOptions,
  ): Promise<void> {
    if (query.kind === 'fields' || isOfEvents(rows)) return;
    const { queryString } = query;
    if ((await this.#rows(unfedQuery(queryString), options)).length > 0)
      throw new LogOptionsException(
        `The query returns a row even if nothing was logged, so it proves nothing: ${queryString}\nAdd a condition on the row, such as "| _count > 0", or remove the aggregate.`,
      );
    const known = [...new Set((await this.records({})).flatMap(Object.keys))];
    // With a name that resembles it, the field is unknown in any case.
    const isAbsent = (name: string): boolean =>
      readsInstead(queryString, name, [...known, `${name}_`], /^\s*(?:[=<>!]|like\b)/i);
    const absent = queryString.match(/#?[\p{L}\p{N}_.]+/gu)?.find(isAbsent);
    if (absent === undefined || aggregateOf(queryString) === undefined) return;
    throw new LogOptionsException(
      `No record has the field "${absent}", so this query proves nothing: ${queryString}\n${meantName(absent, known, 'Correct the name of the field.')}`,
    );
  }
}

/** Rows that a query has created have no ID. */
export function isOfEvents(rows: readonly LogEvent[]): boolean {
  return rows.every((row) => row['@id'] !== undefined);
}

/**
 * The guards of everything that searches records.
 *
 * @throws LogOptionsException for an unknown option, a doubtful expectation, or an argument that no query uses or that has
 *   no value, which would match any
 */
export function resolveSearch(
  owner: string,
  expectations: readonly LogExpectation[],
  options: AssertionOptions = {},
  more: readonly string[] = [],
): ResolvedExpectation[] {
  refuseUnknownOptions(owner, options, ['start', 'end', 'timeZone', 'arguments', ...more]);
  const resolved = expectations.map((expectation) => resolveExpectation(owner, expectation));
  const queries = resolved.map((each) => parametersOf(each.kind === 'query' ? each.queryString : ''));
  const names = queries.flatMap((parameters) => [...(parameters?.keys() ?? [])]);
  const problems = queries.map((parameters) => argumentProblems(parameters, options.arguments, names));
  const problem = problems.map(({ unknown, open }) => unknown ?? open).find((text) => text !== undefined);
  if (problem === undefined) return resolved;
  throw new LogOptionsException(`${owner}: ${problem}`);
}
