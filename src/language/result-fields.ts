import { tryOr } from '../core/try-or.ts';
import type { StepNode } from './ast.ts';
import { isNumberText } from './character-classes.ts';
import { elementsOf, textOf, valuesOf } from './diagnostics/call-arguments.ts';
import { fieldsAfter, isAggregateCall, type PossibleFields } from './diagnostics/field-flow.ts';
import { parseTree } from './syntax-tree.ts';

/** What is known of the fields of the rows of a query. `undefined`: they can have any, or it can't be parsed. */
export function resultFields(query: string): PossibleFields {
  const fields = tryOr(undefined, () => fieldsAfter(parseTree(query), undefined));
  // An array has any number of elements.
  if (!fields || [...fields.keys()].some((name) => name.endsWith('[]'))) return undefined;
  return new Map([...fields].filter(([, { isGone }]) => isGone !== true));
}

/** The fields of the rows of a query that are numbers which functions have computed. */
export function resultNumbers(query: string): ReadonlySet<string> {
  const fields = [...(resultFields(query) ?? [])];
  return new Set(fields.flatMap(([name, { isNumber }]) => (isNumber ? [name] : [])));
}

/** The first aggregate function among the steps of a query; `undefined` if there is none, or the query is invalid. */
export function aggregateOf(query: string): string | undefined {
  for (const step of tryOr([], () => parseTree(query).steps)) {
    if (step.kind === 'Stats') return 'stats';
    if (isAggregateCall(step)) return step.name;
  }
  return undefined;
}

/** The fields by which a `groupBy()` or `top()` groups; none for other steps. */
export function groupKeys(step: StepNode | undefined): readonly string[] {
  if (step?.kind !== 'Call' || !/^(?:groupBy|top)$/i.test(step.name)) return [];
  return elementsOf(valuesOf(step, 'field')).flatMap((value) => textOf(value) ?? []);
}

/** How a row differs from what is known of the fields of a query. */
export function falseFields(
  fields: PossibleFields,
  row: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (fields === undefined) return [];
  const unknown = Object.keys(row).flatMap((name) => (fields.has(name) ? [] : [`has "${name}"`]));
  const others = Array.from(fields).flatMap(([name, { isNumber, isSure }]) => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined) return isSure ? [`lacks "${name}"`] : [];
    return isNumber && !isNumberText(String(value))
      ? [`has "${name}" = ${JSON.stringify(value)}, which is no number`]
      : [];
  });
  return [...unknown, ...others];
}
