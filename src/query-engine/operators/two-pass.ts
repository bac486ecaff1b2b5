import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { Preparation } from '../run/preparation.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';
import { type AggregateStep, type FirstPass, openSteps, type StreamStep } from './operator.ts';

/** The first pass of a step, over all events that come through the steps before it. */
export function passBefore(step: StreamStep, before: readonly StreamStep[]): Preparation {
  const pass = requirePass(step);
  return {
    key: pass,
    readsEvents: true,
    *compute({ run, source, repository }) {
      const collector = pass.open(run);
      const input = openSteps(before, run, (row, stored) => collector.push(row, stored));
      for (const event of source.events({ repository, start: run.start, end: run.end })) {
        input(event, event);
        yield;
      }
      return collector.result();
    },
  };
}

/** A step of two passes over the rows of an aggregate. */
export function twoPassRows(step: StreamStep): AggregateStep {
  const pass = requirePass(step);
  return {
    columns: (before) => (step.columns ? step.columns(before) : before),
    open(run) {
      const rows: [row: Fields, stored: Fields][] = [];
      function* twice(): SlicedWork<readonly Fields[]> {
        const read = scopeOfRead(run);
        const collector = pass.open(read);
        for (const [row, stored] of rows) {
          collector.push(row, stored);
          yield;
        }
        const results: Fields[] = [];
        const input = openSteps([step], withResult(read, pass, collector.result()), (row) => {
          results.push(row);
        });
        for (const [row, stored] of rows) {
          input(row, stored);
          yield;
        }
        return results;
      }
      return {
        push: (row, stored) => {
          run.retain?.(rowBytes(row));
          rows.push([row, stored]);
        },
        rows: () => finish(twice()),
        slicedRows: twice,
      };
    },
  };
}

function withResult(run: RunScope, key: object, result: unknown): RunScope {
  const results = new Map(run.prepared?.results).set(key, result);
  const prepared = { results, warnings: run.prepared?.warnings ?? new Set() };
  // The scope tells who asks it for the time: it must not be copied.
  return Object.assign(Object.create(run), { prepared });
}

function requirePass({ firstPass }: StreamStep): FirstPass {
  if (firstPass !== undefined) return firstPass;
  throw new TypeError('This step has no first pass.');
}
