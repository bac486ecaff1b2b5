import { tryOr } from '../../core/try-or.ts';
import { check, conjunctsOf, parse, print, type StepNode, walk } from '../../language/index.ts';

/** One of the conditions joined with `and`, to find out which of them a record fails. */
export interface QueryTerm {
  /** The condition as a query. */
  readonly queryString: string;
  /** The condition as written. */
  readonly text: string;
  /** The fields it reads. */
  readonly fields: readonly string[];
}

/** The conditions of a query's filters before its first function, which may change the record. @throws QuerySyntaxError */
export function queryTerms(queryString: string): QueryTerm[] {
  const filters: StepNode[] = [];
  for (const step of parse(queryString).steps) {
    if (!isFilter(step)) break;
    filters.push(...conjunctsOf(step));
  }
  const terms = filters.map((filter) => {
    const names = new Set<string>();
    walk(filter, { Field: ({ name }) => void names.add(name) });
    const text = queryString.slice(filter.span.start, filter.span.end);
    return { queryString: print(filter), text, fields: [...names] };
  });
  // A filter on a field that a regular expression of the query creates depends on that expression.
  const isCreated = (name: string): boolean => queryString.includes(`(?<${name}>`);
  return terms.filter(({ fields }) => !fields.some(isCreated));
}

/** Whether a query passes a field that no record has to a function, or compares it with a value, instead of known ones. */
export function readsInstead(
  queryString: string,
  name: string,
  known: readonly string[],
  harmless = /^\s*(?:!=|=\s*"?\*"?(?:\W|$))/,
): boolean {
  return check(queryString, { source: { fields: known.map((each) => ({ name: each })) } }).some(
    ({ code, span: { start, end } }) =>
      /^(?:unknown|tag)-field$/.test(code) &&
      queryString.slice(start, end).replace(/["`]/g, '') === name &&
      !harmless.test(queryString.slice(end)),
  );
}

/** Whether a query keeps every record, without saying so by `*`. */
export function isUnfiltered(queryString: string): boolean {
  return tryOr(false, () => parse(queryString).steps.every(keepsAll));
}

function keepsAll(step: StepNode): boolean {
  if (step.kind === 'And') return step.operands.every(keepsAll);
  if (step.kind === 'Boolean') return step.value;
  if (step.kind !== 'FreeText') return step.kind === 'Assignment';
  return step.value.kind === 'Pattern' && /^(?:\*{2,})?$/.test(step.value.text);
}

/** The query without its last filter; `undefined` unless other steps precede it. */
export function withoutLastFilter(queryString: string): string | undefined {
  const { steps, ...pipeline } = parse(queryString);
  const last = steps.at(-1);
  if (last === undefined || !isFilter(last) || steps.every(isFilter)) return undefined;
  return print({ ...pipeline, steps: steps.slice(0, -1) });
}

/** The same query after a filter that matches nothing. */
export function unfedQuery(queryString: string): string {
  const { steps, ...pipeline } = parse(queryString);
  // These must be first in a query, because they select its input.
  const isFirst = (step: StepNode) =>
    step.kind === 'Call' && /^(?:setTimeInterval|defineTable)$/.test(step.name);
  const first = steps.findIndex((step) => !isFirst(step));
  const at = first === -1 ? steps.length : first;
  const nothing = { kind: 'Boolean', value: false, span: { start: 0, end: 0 } } as const;
  return print({ ...pipeline, steps: [...steps.slice(0, at), nothing, ...steps.slice(at)] });
}

function isFilter(step: StepNode): boolean {
  return ['And', 'Or', 'Not', 'Boolean', 'Comparison', 'FreeText'].includes(step.kind);
}
