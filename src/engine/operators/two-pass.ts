import { rowSink } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { takeAll } from './aggregate-pipeline.ts';
import { type AggregateStep, type FirstPass, openSteps, type StreamStep } from './operator.ts';
import type { Preparation } from './preparation.ts';
import { bufferedAggregate } from './row-buffer.ts';

/** The first pass of a step, over all events from the steps before it. */
export function firstPassPreparation(pass: FirstPass, before: readonly StreamStep[]): Preparation {
  return {
    key: pass,
    readsEvents: true,
    *compute({ run, source, repository }) {
      const collector = pass.open(run);
      const input = openSteps(before, run, collector);
      yield* source.read({ repository, start: run.start, end: run.end }, input);
      return collector.result();
    },
  };
}

/** A two-pass step over the rows of an aggregate. */
export function twoPassRows(step: StreamStep, pass: FirstPass): AggregateStep {
  return bufferedAggregate(
    (before) => (step.columns ? step.columns(before) : before),
    function* (rows, run) {
      const read = scopeOfRead(run);
      const collector = pass.open(read);
      yield* takeAll(rows, collector);
      const results: Fields[] = [];
      const output = rowSink((row) => results.push(row));
      yield* takeAll(rows, step.open(withResult(read, pass, collector.result()), output));
      return results;
    },
  );
}

function withResult(run: RunScope, key: object, result: unknown): RunScope {
  const results = new Map(run.prepared?.results).set(key, result);
  const prepared = { results, warnings: run.prepared?.warnings ?? new Set() };
  // Inherits from the scope, because a copy would freeze its clock.
  return Object.assign(Object.create(run), { prepared });
}
