import { describeFunction, parse, print, type StepNode } from '../../../language/index.ts';
import { LineQuery, type LineQueryOptions } from '../../../server/line-query/index.ts';
import { rowsOf, stepCounts, stepsOf } from '../../query/query-steps.ts';

/** What tests decide: filters that keep some events and drop others, and arms of `case` and `match` that events take. */
export class Coverage {
  readonly #query: string;
  /** The filters, by their start. */
  readonly #filters = new Map<number, { readonly text: string; kept: number; dropped: number }>();
  #arms: readonly Arm[] | undefined;

  constructor(query: string) {
    this.#query = query;
  }

  /** Adds the events of a test. */
  async add(lines: readonly string[], options: LineQueryOptions): Promise<void> {
    const filters = stepsOf(this.#query).filter(dropsEvents);
    for (const { at, text, eventsIn, eventsOut } of await stepCounts(this.#query, lines, options)) {
      if (!filters.some(({ span }) => span.start === at)) continue;
      const filter = this.#filters.get(at) ?? { text, kept: 0, dropped: 0 };
      filter.kept += eventsOut;
      filter.dropped += eventsIn - eventsOut;
      this.#filters.set(at, filter);
    }
    this.#arms ??= armsOf(this.#query);
    for (const arm of this.#arms) {
      if (!arm.isTaken) arm.isTaken = (await rowsOf(new LineQuery(arm.probe, options), lines)).length > 0;
    }
  }

  /** What no test decides. */
  gaps(): readonly { readonly at: number; readonly message: string }[] {
    const filters = [...this.#filters].flatMap(([at, { text, kept, dropped }]) => {
      if (kept > 0 && dropped > 0) return [];
      const what = kept === 0 ? (dropped === 0 ? 'reaches' : 'passes') : 'fails';
      return [{ at, message: `no test event ${what} the filter: ${text}` }];
    });
    const arms = (this.#arms ?? [])
      .filter(({ isTaken }) => !isTaken)
      .map(({ at, text }) => ({ at, message: `no test event takes the arm: ${text}` }));
    return [...filters, ...arms].sort((a, b) => a.at - b.at);
  }
}

interface Arm {
  readonly at: number;
  readonly text: string;
  /** A query that returns the events that take the arm. */
  readonly probe: string;
  isTaken: boolean;
}

const FILTERS: readonly StepNode['kind'][] = ['Or', 'Not', 'Comparison', 'FreeText', 'FieldCall'];

function dropsEvents(step: StepNode): boolean {
  if (/\bstrict=false\b/.test(print(step))) return false;
  return step.kind === 'Call' ? describeFunction(step.name)?.kind === 'filter' : FILTERS.includes(step.kind);
}

const MARK = '_logclient_arm';

function armsOf(query: string): readonly Arm[] {
  return parse(query).steps.flatMap((step) => {
    const arms = step.kind === 'Case' ? step.clauses : step.kind === 'Match' ? step.arms : [];
    return arms.map(({ span: { start, end } }) => {
      const marked = `${query.slice(0, end)}\n| ${MARK} := 1 ${query.slice(end, step.span.end)}`;
      const text = query.slice(start, end).replace(/\s+/g, ' ').trim();
      return { at: start, text, probe: `${marked}\n| ${MARK} = 1`, isTaken: false };
    });
  });
}
