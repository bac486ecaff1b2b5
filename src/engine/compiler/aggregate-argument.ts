import type { AssignmentNode, ExpressionNode, PipelineNode, Span } from '../../language/index.ts';
import { aggregateList } from '../operators/aggregate-list.ts';
import { type AggregateStage, aggregatePipeline } from '../operators/aggregate-pipeline.ts';
import type { AggregateStep, StreamStep } from '../operators/operator.ts';
import type { CompiledStep, PresetArguments, Scope } from '../signature/scope.ts';

/** Why a step that reads its events twice is rejected. */
export const FIRST_PASS = 'Functions that read all events first, such as selfJoinFilter(), are not allowed';

/** Compiles the argument of a parameter such as `function`: a call, an array, or `{ … }` that contains an aggregate. */
export function compileAggregate(node: ExpressionNode | AssignmentNode, scope: Scope): AggregateStep {
  switch (node.kind) {
    case 'Array':
      return aggregateList(node.elements.map((element) => compileAggregate(element, scope)));
    case 'Subquery':
      return compileBraces(node.pipeline, node.span, scope);
    case 'SavedQuery':
      return scope.inSavedQuery(node, (pipeline, inner) => compileBraces(pipeline, pipeline.span, inner));
    case 'Assignment':
      return compileAggregateCall(node.value, { as: node.target.name }, scope);
    default:
      return compileAggregateCall(node, {}, scope);
  }
}

/** `{ … }` that contains an aggregate, or a saved query that has one. */
function compileBraces(pipeline: PipelineNode, span: Span, scope: Scope): AggregateStep {
  const steps = scope.steps(pipeline);
  if (steps.some((compiled) => compiled.kind === 'stream' && compiled.step.firstPass !== undefined)) {
    scope.fail(span, `${FIRST_PASS} in an argument`);
  }
  const aggregate = joinSteps(steps);
  if (aggregate !== undefined) return { ...aggregate, filtersGroups: true };
  return scope.fail(span, '{ … } must contain an aggregate function');
}

function compileAggregateCall(node: ExpressionNode, presets: PresetArguments, scope: Scope): AggregateStep {
  if (node.kind !== 'Call') {
    return scope.fail(node.span, 'Only aggregate functions such as count() are allowed here');
  }
  const call = scope.call(node, presets);
  if (call.kind === 'aggregate') return call.step;
  const hint = 'put it before the aggregate, or together with one in { … }';
  return scope.fail(node.nameSpan, `${node.name}() is not an aggregate function: ${hint}`);
}

/** Joins steps to one aggregate; `undefined` if none of them is one. */
export function joinSteps(steps: readonly CompiledStep[]): AggregateStep | undefined {
  const before: StreamStep[] = [];
  const stages: { aggregate: AggregateStep; after: StreamStep[] }[] = [];
  for (const compiled of steps) {
    if (compiled.kind === 'aggregate') stages.push({ aggregate: compiled.step, after: [] });
    else (stages.at(-1)?.after ?? before).push(compiled.step);
  }
  const [first, ...rest]: AggregateStage[] = stages;
  return first && aggregatePipeline(before, first, rest);
}
