import { type PipelineNode, print, type StepNode } from '../../language/index.ts';
import { conjunctsOf } from '../../language/operator-chain.ts';
import { aggregatePipeline } from '../operators/aggregate-pipeline.ts';
import { type AggregateStep, type StreamStep, slicedRows } from '../operators/operator.ts';
import { type MeasuredStep, PROFILE_COLUMNS, Profile } from '../operators/profile.ts';
import { firstPassPreparation, twoPassRows } from '../operators/two-pass.ts';
import { aggregatePlan, filterPlan, type Plan, type PlanFacts } from '../plan/plan.ts';
import type { PlanDraft } from '../signature/plan-draft.ts';
import type { CompiledStep, Scope } from '../signature/scope.ts';
import { joinSteps } from './aggregate-argument.ts';
import type { Compilation } from './compilation.ts';

/** Compiles the steps of a plan in order. */
export interface StepCompiler extends Scope {
  nextStep(node: StepNode): readonly CompiledStep[];
}

/**
 * Compiles a query or a subquery to a plan.
 *
 * @param compileBefore returns steps to insert before the first one, after the definitions.
 */
export function compilePlan(
  tree: PipelineNode,
  compiler: StepCompiler,
  compilation: Compilation,
  compileBefore: () => readonly CompiledStep[] = () => [],
): Plan {
  const { draft } = compiler;
  const before: StepNode[] = [];
  const compiled: CompiledStep[] = [];
  const labels: string[] = [];
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    compiled.push(...compileBefore());
    labels.push(...compiled.map(() => 'filter of the view'));
    hasBegun = true;
  };
  for (const node of tree.steps.flatMap(conjunctsOf)) {
    const steps = compiler.nextStep(node);
    if (steps.length > 0) begin();
    for (const step of steps) {
      compiled.push(withFirstPass(step, compiled, draft));
      labels.push(print(node));
    }
    const isAggregate = compiled.some(({ kind }) => kind === 'aggregate');
    // A definition is not a step.
    if (!isAggregate && steps.length > 0) before.push(node);
  }
  begin();
  const facts: PlanFacts = {
    filterQueryString: before.length === 0 ? '*' : print({ ...tree, steps: before }),
    interval: draft.interval,
    files: compilation.files,
    warnings: draft.warnings,
  };
  if (compiled.some(isExplain)) rejectCorrelate(tree, compiler);
  const aggregate = joinSteps(withProfile(compiled, labels));
  if (aggregate !== undefined) return aggregatePlan(aggregate, draft.preparations, facts);
  return filterPlan(streamsOf(compiled), draft.preparations, facts);
}

function rejectCorrelate(tree: PipelineNode, compiler: StepCompiler): void {
  for (const step of tree.steps) {
    if (step.kind !== 'Call' || step.name.toLowerCase() !== 'correlate') continue;
    compiler.fail(step.nameSpan, "A query with correlate() can't be explained: its steps have no counts");
  }
}

/** A step that must see all rows first: the rows of an aggregate are complete, events are read twice. */
function withFirstPass(
  compiled: CompiledStep,
  before: readonly CompiledStep[],
  draft: PlanDraft,
): CompiledStep {
  const pass = compiled.kind === 'stream' ? compiled.step.firstPass : undefined;
  if (compiled.kind === 'aggregate' || pass === undefined) return compiled;
  const isAfter = before.some(({ kind }) => kind === 'aggregate');
  if (isAfter) return { kind: 'aggregate', step: twoPassRows(compiled.step, pass) };
  draft.preparations.push(firstPassPreparation(pass, streamsOf(before)));
  return compiled;
}

function streamsOf(steps: readonly CompiledStep[]): readonly StreamStep[] {
  return steps.flatMap((compiled) => (compiled.kind === 'stream' ? [compiled.step] : []));
}

/** Whether a step is `explain:asTable()`. */
function isExplain({ kind, step }: CompiledStep): boolean {
  return kind === 'aggregate' && step.explains === true;
}

/** Replaces `explain:asTable()` and the steps before it by a step that measures them. */
function withProfile(steps: readonly CompiledStep[], labels: readonly string[]): readonly CompiledStep[] {
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
  return joinSteps(all) ?? aggregatePipeline(streamsOf(all), { aggregate: nothing, after: [] }, []);
}

/** The end of a query without an aggregate. */
const nothing: AggregateStep = {
  columns: (before) => before,
  open: () => ({ from: () => undefined, rows: () => [] }),
};
