import type { CallNode, PipelineNode, QueryNode, StepNode } from '../ast.ts';
import { findSignature } from '../functions/find-function.ts';
import { walk } from '../walk.ts';
import { hasParameter, parameterOf } from './call-arguments.ts';
import { checkCall } from './call-checks.ts';
import type { Diagnostic, Finding } from './diagnostic.ts';
import { isAggregateCall } from './field-flow.ts';

/** Checks the calls of a query against the signatures of their functions. */
export function checkCalls(tree: PipelineNode, source: string): readonly Finding[] {
  const findings: Finding[] = [];
  walk(tree, {
    Call(call, parent) {
      findings.push(...checkCall(call, presetsOf(call, parent), source));
    },
  });
  return findings;
}

/** `f := fn()` sets `as`; `f =~ fn()`, `f = fn()` and a guard of `match` set `field`. */
function presetsOf(call: CallNode, parent: QueryNode | undefined): readonly string[] {
  if (parent?.kind === 'FieldCall' || parent?.kind === 'Comparison' || parent?.kind === 'MatchArm')
    return ['field'];
  return parent?.kind === 'Assignment' && hasParameter(call, 'as') ? ['as'] : [];
}

/** Functions that read rows in the order of an aggregate. */
const ORDERED: readonly string[] = [
  'accumulate',
  'neighbor',
  'partition',
  'slidingTimeWindow',
  'slidingWindow',
];

/** Reports aggregates in the wrong place, what they need before them, and free text after the first one. */
export function checkSteps(tree: PipelineNode): readonly Diagnostic[] {
  const findings: Diagnostic[] = [...misplacedAggregates(tree)];
  let isOrdered = false;
  let hasRows = false;
  for (const step of tree.steps) {
    for (const part of step.kind === 'And' ? step.operands : [step]) {
      if (hasRows) findings.push(...freeTextIn(part));
      const name = (part.kind === 'Call' && findSignature(part.name)?.name) || '';
      if (!isOrdered && ORDERED.includes(name)) {
        const message = `${name}() needs ordered rows: put an aggregate function such as head() or sort() before it.`;
        findings.push({ code: 'unordered-rows', severity: 'error', message, span: part.span });
      }
      isOrdered ||= isAggregate(part) || part.kind === 'SavedQuery';
      // These ignore the events before them, and return events.
      hasRows ||= isAggregate(part) && !['createEvents', 'readFile'].includes(name);
    }
  }
  return findings;
}

function isAggregate(step: StepNode): boolean {
  if (step.kind === 'Stats') return true;
  if (step.kind === 'Assignment' || step.kind === 'Comparison') return isAggregateCall(step.value);
  if (step.kind === 'And') return step.operands.some(isAggregate);
  return isAggregateCall(step);
}

/** Aggregates where steps process single events, and braces without the aggregate that they need. */
function misplacedAggregates(tree: PipelineNode): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  const refuse = (where: string, pipelines: readonly PipelineNode[]): void => {
    for (const { span } of pipelines.flatMap(({ steps }) => steps.filter(isAggregate))) {
      const message = `An aggregate function is not allowed inside ${where} { … }: set a field there, and group by it after the braces.`;
      findings.push({ code: 'aggregate-in-clause', severity: 'error', message, span });
    }
  };
  walk(tree, {
    Case: ({ clauses }) => refuse('case', clauses),
    Match({ arms }) {
      const pipelines = arms.map(({ pipeline }) => pipeline);
      refuse('match', pipelines);
    },
    Call(call) {
      for (const argument of call.arguments) {
        const { value } = argument;
        const parameter = parameterOf(argument, call);
        if (value.kind !== 'Subquery' || parameter === undefined) continue;
        if (parameter.form.kind === 'steps') refuse(parameter.name, [value.pipeline]);
        const isUseful = value.pipeline.steps.some((step) => step.kind === 'SavedQuery' || isAggregate(step));
        if (parameter.form.kind !== 'aggregate' || isUseful) continue;
        const message = '{ … } must contain an aggregate function.';
        findings.push({ code: 'not-an-aggregate', severity: 'error', message, span: value.span });
      }
    },
  });
  return findings;
}

function freeTextIn(step: StepNode): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  walk(step, {
    FreeText({ value, span }) {
      if (value.kind === 'Parameter' || (value.kind === 'Pattern' && /^\**$/.test(value.text))) return;
      findings.push({
        code: 'free-text-after-aggregate',
        severity: 'error',
        message:
          'Free text is only allowed before the first aggregate function: after it, compare a field, as in field=*text*.',
        span,
      });
    },
    Subquery: () => false,
  });
  return findings;
}
