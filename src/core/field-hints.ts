import { meantName, misspelledField } from './nearest-name.ts';
import { LEVEL_FIELDS } from './records/record-fields.ts';

/** A line for each field that no event has, or that has the name of a tag. */
export function fieldHints(
  names: readonly string[],
  known: readonly string[],
  what = 'recent event',
): string[] {
  return names.flatMap((name) => {
    if (known.includes(name)) return known.includes(`#${name}`) ? `Did you mean the tag "#${name}"?` : [];
    return `No ${what} has the field "${name}". ${meantName(levelField(name, known), known)}`.trimEnd();
  });
}

/** A line for each field that probably misspells a known one, so that its absence proves nothing. */
export function misspelledHints(names: readonly string[], known: readonly string[]): string[] {
  const misspelled = names.filter((name) => misspelledField(name, known) !== undefined);
  return fieldHints(misspelled, known, 'event');
}

/** The field in which events have the level, if none has it in the field with this name. */
export function levelField(name: string, known: readonly string[]): string {
  if (known.includes(name) || !LEVEL_FIELDS.includes(name)) return name;
  return LEVEL_FIELDS.find((other) => known.includes(other)) ?? name;
}
