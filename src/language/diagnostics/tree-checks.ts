import type { CallNode, PipelineNode, QueryNode, StepNode } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { walk } from '../walk.ts';
import { checkCall, type Presets } from './call-checks.ts';
import type { Diagnostic, Finding } from './diagnostic.ts';
import { isAggregateCall } from './field-flow.ts';

/** Checks the calls of a query against the signatures of their functions. */
export function checkCalls(tree: PipelineNode, source: string): readonly Finding[] {
  const found: Finding[] = [];
  walk(tree, {
    Call(call, parent) {
      found.push(...checkCall(call, presetsOf(call, parent), source));
    },
  });
  return found;
}

/** `f := fn()` sets `as`; `f =~ fn()`, `f = fn()` and a guard of `match` set `field`. */
function presetsOf(call: CallNode, parent: QueryNode | undefined): Presets {
  if (parent?.kind === 'FieldCall' || parent?.kind === 'Comparison' || parent?.kind === 'MatchArm')
    return ['field'];
  const hasAs = findSignature(call.name)?.parameters.some(({ name }) => name === 'as') === true;
  return parent?.kind === 'Assignment' && hasAs ? ['as'] : [];
}

/** Reports aggregates inside `case` and `match`, and free text after the first aggregate. */
export function checkSteps(tree: PipelineNode): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let isAfterAggregate = false;
  for (const step of tree.steps) {
    found.push(...clauseAggregates(step));
    for (const part of step.kind === 'And' ? step.operands : [step]) {
      if (isAfterAggregate) found.push(...freeTextIn(part));
      isAfterAggregate ||= isAggregate(part);
    }
  }
  return found;
}

function isAggregate(step: StepNode): boolean {
  if (step.kind === 'Stats') return true;
  if (step.kind === 'Assignment' || step.kind === 'Comparison') return isAggregateCall(step.value);
  if (step.kind === 'And') return step.operands.some(isAggregate);
  // These ignore the events before them.
  return isAggregateCall(step) && !/^(?:createEvents|readFile)$/i.test(step.name);
}

function clauseAggregates(step: StepNode): readonly Diagnostic[] {
  if (step.kind !== 'Case' && step.kind !== 'Match') return [];
  const clauses = step.kind === 'Case' ? step.clauses : step.arms.map(({ pipeline }) => pipeline);
  return clauses.flatMap(({ steps }) =>
    steps.flatMap((inner): readonly Diagnostic[] => {
      if (!isAggregate(inner)) return clauseAggregates(inner);
      const message = `An aggregate function is not allowed inside ${step.kind.toLowerCase()} { … }: set a field in each clause, and group by it after the braces.`;
      return [{ code: 'aggregate-in-clause', severity: 'error', message, span: inner.span }];
    }),
  );
}

function freeTextIn(step: StepNode): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  walk(step, {
    FreeText({ value, span }) {
      if (value.kind === 'Parameter' || (value.kind === 'Pattern' && /^\**$/.test(value.text))) return;
      found.push({
        code: 'free-text-after-aggregate',
        severity: 'error',
        message:
          'Free text is only allowed before the first aggregate function: after it, compare a field, as in field=*text*.',
        span,
      });
    },
    Subquery: () => false,
  });
  return found;
}
