import type { Plan } from '../../engine/index.ts';
import type { EventRange } from '../store/event-store.ts';
import type { ResultCollector } from './result-collector.ts';

export type IncrementalRun = ReturnType<typeof incrementalRun>;

/**
 * The run of a live query after an evaluation. If only newer events have arrived, the next evaluation resumes it
 * instead of reading all events again.
 *
 * @param read the events that the run has read.
 */
export function incrementalRun(plan: Plan, collector: ResultCollector, read: readonly EventRange[]) {
  const count = countOf(read);
  const [first, last] = [idAt(read, 0), idAt(read, count - 1)];
  return {
    collector,
    /**
     * The events to read next, given those in the window now; `undefined` if the run can't be resumed.
     *
     * Events can arrive anywhere, but leave the store and the window only at the start, unless they are removed. So the events read
     * are unchanged if the oldest one is the same and the newest one has the same position.
     */
    rest(next: Plan, ranges: readonly EventRange[]): EventRange[] | undefined {
      if (next !== plan || plan.hasSubQueries || collector.dependsOnTime) return undefined;
      // Lines of a file that was edited may have no ID.
      const isKnown = first !== undefined && last !== undefined;
      const isSame = idAt(ranges, 0) === first && idAt(ranges, count - 1) === last;
      return count === 0 || (isKnown && isSame) ? after(ranges, count) : undefined;
    },
  };
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
