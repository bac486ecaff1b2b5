import type { FilterNode, StepNode } from './ast.ts';
import {
  fieldsAfter,
  fieldsNamed,
  isAggregateCall,
  type PossibleFields,
  readsOf,
} from './diagnostics/field-flow.ts';
import { parse } from './parse.ts';
import { print } from './printer.ts';
import { walk } from './walk.ts';

/**
 * What a query demands of fields with these names, whatever the others contain: conditions that read others are left out.
 *
 * @returns a query that rejects only rows that the whole query rejects; empty if it demands nothing
 * @throws QuerySyntaxError
 */
export function demandsOn(query: string, names: readonly string[]): string {
  const { steps, ...pipeline } = parse(query);
  const demands: StepNode[] = [];
  let known = fieldsNamed(names);
  for (const step of steps) {
    const before: PossibleFields = known;
    if (before === undefined) break;
    const demand: StepNode = demandOf(step, before, true);
    const after = fieldsAfter({ ...pipeline, steps: [step] }, before);
    if (demand.kind !== 'Boolean') demands.push(demand);
    // A step that is left out may have written some of them.
    const isKept = ([name, field]: [string, object]): boolean => before.get(name) === field;
    known = demand === step ? after : after && new Map([...after].filter(isKept));
  }
  return print({ ...pipeline, steps: demands });
}

/** @param passes what a condition that reads other fields becomes: `false` below `not`. */
function demandOf(step: StepNode, known: ReadonlyMap<string, unknown>, passes: boolean): StepNode {
  if (readsOnly(step, known)) return step;
  const part = (each: FilterNode, isPassed: boolean) => demandOf(each, known, isPassed) as FilterNode;
  if (step.kind === 'Not') return { ...step, operand: part(step.operand, !passes) };
  if (step.kind === 'And' || step.kind === 'Or')
    return { ...step, operands: step.operands.map((each) => part(each, passes)) };
  return { kind: 'Boolean', value: passes, span: step.span };
}

/** Whether the result of a step depends on known fields and on nothing else. */
function readsOnly(step: StepNode, known: ReadonlyMap<string, unknown>): boolean {
  const names = readsOf(step).map(({ name }) => name);
  let isUnknown = false;
  walk(step, {
    Pipeline: ({ steps }) => void names.push(...steps.flatMap(readsOf).map(({ name }) => name)),
    Comparison: ({ value }) => void (value.kind === 'Field' && names.push(value.name)),
    FreeText: ({ value }) => {
      isUnknown ||= value.kind !== 'Pattern' || value.text !== '*';
    },
    Call: (call, parent) => {
      const hasField = /^(?:Comparison|FieldCall|MatchArm)$/.test(parent?.kind ?? '');
      isUnknown ||= isAggregateCall(call) || (!hasField && readsOf(call).length === 0);
    },
  });
  return !isUnknown && names.length > 0 && names.every((name) => known.has(name));
}
