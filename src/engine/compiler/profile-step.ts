import { aggregatePipeline } from '../operators/aggregate-pipeline.ts';
import { type AggregateStep, slicedRows } from '../operators/operator.ts';
import { type MeasuredStep, PROFILE_COLUMNS, Profile } from '../operators/profile.ts';
import type { CompiledStep } from '../signature/scope.ts';
import { joinSteps } from './aggregate-argument.ts';

/** Whether one of the steps is `explain:asTable()`. */
export function explainsSteps(steps: readonly CompiledStep[]): boolean {
  return steps.some(isExplain);
}

function isExplain({ kind, step }: CompiledStep): boolean {
  return kind === 'aggregate' && step.explains === true;
}

/** Replaces `explain:asTable()` and the steps before it by a step that measures them. */
export function withProfile(
  steps: readonly CompiledStep[],
  labels: readonly string[],
): readonly CompiledStep[] {
  const place = steps.findIndex(isExplain);
  if (place === -1) return steps;
  const measured = steps
    .slice(0, place)
    .map((compiled, index) => ({ ...compiled, label: labels[index] ?? '' }));
  return [{ kind: 'aggregate', step: profileStep(measured) }, ...steps.slice(place + 1)];
}

function profileStep(steps: readonly MeasuredStep[]): AggregateStep {
  const { ignoresInput } = measuredPipeline(steps, new Profile(steps));
  return {
    ...(ignoresInput === true && { ignoresInput }),
    columns: () => PROFILE_COLUMNS,
    open(run) {
      const profile = new Profile(steps);
      const pipeline = measuredPipeline(steps, profile).open(run);
      return {
        from: (table) => pipeline.from(table),
        *rows() {
          profile.beginRead();
          yield* slicedRows(pipeline);
          return profile.rows();
        },
      };
    },
  };
}

/** The steps with a meter before each, and one after the last. */
function measuredPipeline(steps: readonly MeasuredStep[], profile: Profile): AggregateStep {
  const metered = steps.flatMap((each, place): CompiledStep[] => [
    { kind: 'stream', step: profile.meter(place) },
    each.kind === 'stream' ? each : { kind: 'aggregate', step: profile.measured(place, each.step) },
  ]);
  const all: CompiledStep[] = [...metered, { kind: 'stream', step: profile.meter(steps.length) }];
  const streams = all.flatMap((compiled) => (compiled.kind === 'stream' ? [compiled.step] : []));
  return joinSteps(all) ?? aggregatePipeline(streams, { aggregate: nothing, after: [] }, []);
}

/** The end of a query without an aggregate. */
const nothing: AggregateStep = {
  columns: (before) => before,
  open: () => ({ from: () => undefined, rows: () => [] }),
};
