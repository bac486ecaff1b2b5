import type { Plan } from '../../engine/index.ts';
import type { EventRange } from '../store/event-store.ts';
import type { ResultCollector } from './result-collector.ts';

/**
 * The run of a live query after an evaluation. If only newer events have arrived, the next evaluation resumes it
 * instead of reading all events again.
 */
export class IncrementalRun {
  readonly collector: ResultCollector;
  readonly #plan: Plan;
  /** IDs of the oldest and the newest event. */
  readonly #first: string | undefined;
  readonly #last: string | undefined;
  readonly #count: number;

  /** @param ranges the events that the run has read. */
  constructor(plan: Plan, collector: ResultCollector, ranges: readonly EventRange[]) {
    this.collector = collector;
    this.#plan = plan;
    this.#count = countOf(ranges);
    this.#first = idAt(ranges, 0);
    this.#last = idAt(ranges, this.#count - 1);
  }

  /**
   * The events to read next, given those in the window now; `undefined` if the run can't be resumed.
   *
   * Events can arrive anywhere, but leave the store and the window only at the start, unless they are removed. So the events read are unchanged
   * if the oldest one is the same and the newest one has the same position.
   */
  rest(plan: Plan, ranges: readonly EventRange[]): EventRange[] | undefined {
    if (plan !== this.#plan || plan.hasSubQueries || this.collector.dependsOnTime) return undefined;
    // Lines of a file that was edited may have no ID.
    const isKnown = this.#first !== undefined && this.#last !== undefined;
    const isSame = idAt(ranges, 0) === this.#first && idAt(ranges, this.#count - 1) === this.#last;
    return this.#count === 0 || (isKnown && isSame) ? after(ranges, this.#count) : undefined;
  }
}

export function countOf(ranges: readonly EventRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The ID of an event by its place in all ranges; `undefined` if there are fewer. */
function idAt(ranges: readonly EventRange[], place: number): string | undefined {
  const [range] = place < 0 ? [] : after(ranges, place);
  return range?.events.row(range.start)['@id'];
}

/** The ranges without the first `count` events. */
function after(ranges: readonly EventRange[], count: number): EventRange[] {
  const rest: EventRange[] = [];
  let skip = count;
  for (const { events, start, end } of ranges) {
    const from = Math.min(end, start + skip);
    skip -= from - start;
    if (from < end) rest.push({ events, start: from, end });
  }
  return rest;
}
