import { parse, print } from '../../language/index.ts';

/** These must be first in a query, because they select its input. */
const FIRST_FUNCTIONS: readonly string[] = ['setTimeInterval', 'defineTable'];

/** The same query after a filter that matches nothing. */
export function unfedQuery(queryString: string): string {
  const { steps, ...pipeline } = parse(queryString);
  const first = steps.findIndex((step) => step.kind !== 'Call' || !FIRST_FUNCTIONS.includes(step.name));
  const at = first === -1 ? steps.length : first;
  const nothing = { kind: 'Boolean', value: false, span: { start: 0, end: 0 } } as const;
  return print({ ...pipeline, steps: [...steps.slice(0, at), nothing, ...steps.slice(at)] });
}
