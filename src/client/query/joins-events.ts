/** Functions whose result for an event depends on others, or that set their own interval. */
const FUNCTIONS = /\b(?:selfJoin\w*|join|defineTable|correlate|setTimeInterval)\s*\(/i;

/**
 * Whether a query for events may find different events in a part of its interval than in the whole. A name in a string
 * or a comment counts, too: the caller then searches the whole interval, which is slower but correct.
 */
export function joinsEvents(queryString: string): boolean {
  return FUNCTIONS.test(queryString);
}
