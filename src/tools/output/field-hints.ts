import { meantName } from '../../core/nearest-name.ts';

/** A line for each field that no event has. */
export function fieldHints(
  names: readonly string[],
  known: readonly string[],
  what = 'recent event',
): string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => `No ${what} has the field "${name}". ${meantName(name, known)}`.trimEnd());
}
