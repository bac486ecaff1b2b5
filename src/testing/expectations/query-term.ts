import { tryOr } from '../../core/try-or.ts';
import { aggregateOf, check, conjunctsOf, parse, print, type StepNode, walk } from '../../language/index.ts';

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

/** Whether a query passes a field that no record has to a function, or compares it with a value, instead of a known one. */
export function readsInstead(queryString: string, name: string, known: string): boolean {
  const reads = readsBesides(queryString, [known]).filter((read) => read.name === name);
  return reads.some(({ rest }) => !/^\s*(?:!=|=\s*"?\*"?(?:\W|$))/.test(rest));
}

/** The fields that a query passes to functions up to its first aggregate, without these and those that it creates. */
export function otherInputs(queryString: string, known: readonly string[]): string[] {
  if (aggregateOf(queryString) === undefined) return [];
  // Reads are found by a similar name.
  const similar = (queryString.match(/#?[\p{L}\p{N}_.]+/gu) ?? []).map((name) => `${name}_`);
  const reads = readsBesides(queryString, [...known, ...similar]);
  return reads.filter(({ rest }) => !/^\s*(?:[=<>!]|like\b)/i.test(rest)).map(({ name }) => name);
}

/** The fields that a query reads and that only resemble known ones, with the query after each. */
function readsBesides(queryString: string, known: readonly string[]): { name: string; rest: string }[] {
  const findings = check(queryString, { source: { fields: known.map((name) => ({ name })) } });
  const unknown = findings.filter(({ code }) => /^(?:unknown|tag)-field$/.test(code));
  return unknown.map(({ span: { start, end } }) => {
    return { name: queryString.slice(start, end).replace(/["`]/g, ''), rest: queryString.slice(end) };
  });
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
