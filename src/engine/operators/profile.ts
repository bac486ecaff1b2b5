import type { Fields } from '../event.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { formatNumber } from '../value.ts';
import { type Accumulator, type AggregateStep, type StreamStep, slicedRows } from './operator.ts';

export type MeasuredStep = { readonly label: string } & (
  | { readonly kind: 'stream'; readonly step: StreamStep }
  | { readonly kind: 'aggregate'; readonly step: AggregateStep }
);

interface Measurement {
  readonly label: string;
  readonly isAggregate: boolean;
  /** Number of events that the step received. */
  events: number;
  /** Time in this step and in those that receive its events directly. */
  inputMs: number;
  /** Time to produce the rows of an aggregate. */
  rowsMs: number;
}

export const PROFILE_COLUMNS = ['stepID', 'step', 'timeMs', 'eventsIn', 'eventsOut'] as const;

/** Events and time of each step in one run. */
export class Profile {
  readonly #measurements: readonly Measurement[];
  /** From this step on, steps run again each time the result is read. */
  readonly #firstOfRead: number;

  constructor(steps: readonly MeasuredStep[]) {
    const labels = [...steps.map(({ label, kind }) => ({ label, isAggregate: kind === 'aggregate' })), END];
    this.#measurements = labels.map((each) => ({ ...each, events: 0, inputMs: 0, rowsMs: 0 }));
    const first = steps.findIndex(({ kind }) => kind === 'aggregate');
    this.#firstOfRead = first === -1 ? steps.length : first;
  }

  /** Discards the measurements of the previous result. */
  beginRead(): void {
    for (const [index, each] of this.#measurements.entries()) {
      if (index >= this.#firstOfRead) each.rowsMs = 0;
      if (index > this.#firstOfRead) Object.assign(each, { events: 0, inputMs: 0 });
    }
  }

  /** A step that measures the input of the step with this index; the last index is the output. */
  meter(place: number): StreamStep {
    const measurement = this.#measurements[place]!;
    return {
      open: (_run, next) => ({
        from(table) {
          const take = next.from(table);
          return (index) => {
            measurement.events += 1;
            const start = performance.now();
            take?.(index);
            measurement.inputMs += performance.now() - start;
          };
        },
      }),
    };
  }

  /** An aggregate that measures how long its rows take. */
  measured(place: number, step: AggregateStep): AggregateStep {
    const measurement = this.#measurements[place]!;
    return { ...step, open: (run) => measuredAccumulator(step.open(run), measurement) };
  }

  rows(): readonly Fields[] {
    return this.#measurements.slice(0, -1).map((each, index) => {
      const next = this.#measurements[index + 1]!;
      // An aggregate passes its rows on later.
      const ownMs = each.isAggregate ? each.inputMs + each.rowsMs : Math.max(0, each.inputMs - next.inputMs);
      return {
        stepID: String(index + 1),
        step: each.label,
        timeMs: formatNumber(Math.round(ownMs * 1000) / 1000),
        eventsIn: String(each.events),
        eventsOut: String(next.events),
      };
    });
  }
}

const END = { label: '', isAggregate: false };

function measuredAccumulator(inner: Accumulator, measurement: Measurement): Accumulator {
  return {
    from: (table) => inner.from(table),
    extraData: () => inner.extraData?.() ?? {},
    *rows(): SlicedWork<readonly Fields[]> {
      const work = slicedRows(inner);
      for (;;) {
        const start = performance.now();
        const next = work.next();
        measurement.rowsMs += performance.now() - start;
        if (next.done === true) return next.value;
        yield;
      }
    },
  };
}
