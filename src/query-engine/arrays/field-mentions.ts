import { type QueryNode, walk } from '../../query-language/index.ts';
import type { Scope } from '../signature/scope.ts';
import { matchesEverything } from '../text/glob.ts';

/** Functions that read fields whose names are not in the text of the query, or all fields. */
const READS_ANY_FIELD: ReadonlySet<string> = new Set([
  'concatarray',
  'eventfieldcount',
  'eventsize',
  'getfield',
  'join',
  'lowercase',
  'match',
  'matchasarray',
  'setfield',
  'split',
  'writejson',
]);

function readsAnyField(functionName: string): boolean {
  const name = functionName.toLowerCase();
  return READS_ANY_FIELD.has(name) || name.startsWith('array:') || name.startsWith('objectarray:');
}

/**
 * Whether a part of a query may read single elements of an array, such as `a[0]`. When it can't be seen, it may.
 *
 * What can't is applied to the elements of very long arrays without carrying the whole array along.
 */
export function mayReadElements(node: QueryNode, array: string, scope: Scope): boolean {
  const beginning = `${array}[`;
  let found = false;
  const look = (text: string): void => {
    found ||= text.startsWith(beginning) && text !== `${array}[]` && !text.startsWith(`${array}[].`);
  };
  walk(node, {
    Field: ({ name }) => look(name),
    Bareword: ({ text }) => look(text),
    String: ({ value }) => look(value),
    Parameter: (parameter) => look(scope.parameter(parameter).text),
    Call({ name }) {
      found ||= readsAnyField(name);
    },
    SavedQuery() {
      found = true;
    },
    // In a parser, free text looks for itself in every field of the row.
    FreeText({ value }) {
      found ||= value.kind !== 'Pattern' || !matchesEverything(value.text);
    },
  });
  return found;
}
