import { type Fields, readField } from '../event.ts';
import type { TextMatcher } from '../text/glob.ts';

/**
 * Whether any searchable field of an event matches: all but `@id`, `@timestamp`, `@ingesttimestamp` and tags.
 * `@rawstring` is looked at first, because it is where matches are.
 */
export function matchesAnyField(event: Fields, matches: TextMatcher): boolean {
  return findInFields(event, (value) => matches(value) || undefined) === true;
}

/** The first result other than `undefined` that `find` has for a searchable field. */
export function findInFields<T>(event: Fields, find: (value: string) => T | undefined): T | undefined {
  const rawstring = readField(event, '@rawstring');
  const found = rawstring === undefined ? undefined : find(rawstring);
  if (found !== undefined) return found;
  for (const name in event) {
    if (!isSearchable(name)) continue;
    const value = readField(event, name);
    const result = value === undefined ? undefined : find(value);
    if (result !== undefined) return result;
  }
  return undefined;
}

function isSearchable(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first === 35) return false;
  if (first !== 64) return true;
  return name !== '@rawstring' && name !== '@id' && name !== '@timestamp' && name !== '@ingesttimestamp';
}
