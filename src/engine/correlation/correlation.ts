import { hasAllFields, pickFields } from '../aggregates/result-rows.ts';
import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { rowSink } from '../columns/row-table.ts';
import { copyFields, type Fields, readField, readNumber, writeField } from '../event.ts';
import { type Accumulator, openSteps, takeEach } from '../operators/operator.ts';
import { collectRows } from '../operators/row-buffer.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { type RowSource, type SlicedWork, sortInSlices } from '../run/sliced-sort.ts';
import type { CorrelationQuery } from './correlation-query.ts';
import { type Candidate, type CorrelationRules, CorrelationSearch } from './correlation-search.ts';

export interface CorrelationOptions {
  readonly queries: readonly CorrelationQuery[];
  /** The query whose events start the search. */
  readonly root: number;
  /** The fields that events of each query must have. */
  readonly constraints: readonly (readonly string[])[];
  readonly showsConstraints: boolean;
  /** The fields that `sequence` sorts by; later ones break ties. */
  readonly rankFields: readonly string[];
  readonly rules: CorrelationRules;
}

/** Fields that every event keeps. */
const IDENTITY = ['@timestamp', '@id', '@ingesttimestamp'];

/** Collects the events of the queries in `correlate` and matches them when the result is read. */
export class Correlation implements Accumulator {
  readonly #options: CorrelationOptions;
  readonly #run: RunScope;
  readonly #inputs: readonly Sink[];
  readonly #candidates: Candidate[][];
  #serial = 0;

  constructor(options: CorrelationOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    this.#candidates = options.queries.map(() => []);
    this.#inputs = options.queries.map(({ steps }, query) =>
      openSteps(
        steps,
        run,
        rowSink((row) => this.#add(query, row)),
      ),
    );
  }

  from(table: EventTable): TakeEvent {
    const take = takeEach(this.#inputs.map((input) => input.from(table)));
    return (index) => {
      this.#serial += 1;
      take(index);
    };
  }

  *rows(): SlicedWork<readonly Fields[]> {
    const candidates: (readonly Candidate[])[] = [];
    for (const own of this.#candidates) candidates.push(yield* sortInSlices(own, (a, b) => a.time - b.time));
    const { matches, isComplete } = yield* new CorrelationSearch(this.#options.rules, candidates).run();
    if (!isComplete) this.#run.warn('correlate() stopped its search: too many combinations of events match.');
    if (matches.length > MAX_ROWS)
      this.#run.warn(`correlate() shows ${MAX_ROWS} of ${matches.length} matches.`);
    return yield* collectRows(this.#rowsOf(matches.slice(0, MAX_ROWS)), this.#run);
  }

  *#rowsOf(matches: readonly (readonly Candidate[])[]): RowSource {
    for (const match of matches) yield this.#row(match);
  }

  #add(query: number, row: Fields): void {
    const { queries, constraints, rankFields } = this.#options;
    const needed = constraints[query] ?? [];
    const time = readNumber(row, '@timestamp');
    const ranks = rankFields.map((field) => readNumber(row, field));
    const own = this.#candidates[query];
    if (
      own === undefined ||
      time === undefined ||
      !ranks.every((rank) => rank !== undefined) ||
      !hasAllFields(row, needed)
    )
      return;
    if (own.length >= MAX_ROWS) {
      this.#run.warn(`correlate() uses at most ${MAX_ROWS} events of "${queries[query]?.name}".`);
      return;
    }
    const include = queries[query]?.include ?? [];
    const kept = include.includes('*')
      ? copyFields(row)
      : pickFields(row, [...needed, ...include, ...IDENTITY]);
    this.#run.retain?.(rowBytes(kept));
    own.push({ serial: this.#serial, row: kept, time, ranks });
  }

  #row(match: readonly Candidate[]): Fields {
    const { queries, root, constraints, showsConstraints } = this.#options;
    const row: Fields = pickFields(match[root]?.row ?? {}, IDENTITY);
    for (const [query, { name, include }] of queries.entries()) {
      const event = match[query]?.row ?? {};
      const shown = include.includes('*') ? Object.keys(event) : include;
      const fields = [...IDENTITY, ...(showsConstraints ? (constraints[query] ?? []) : []), ...shown];
      for (const field of fields) {
        const value = readField(event, field);
        if (value !== undefined) writeField(row, `${name}.${field}`, value);
      }
    }
    return row;
  }
}
