import { findInFields } from '../compiler/free-text.ts';
import { copyFields, type Fields, readField } from '../event.ts';
import { type Regex, writeGroups } from '../regex/regex.ts';
import { type Columns, type Emit, type StreamStep, withColumns } from './operator.ts';

export interface ExtractionOptions {
  /** The field to search; `undefined` for all searchable fields of the stored event. */
  readonly field: string | undefined;
  /** One row for each match instead of only the first. */
  readonly repeat: boolean;
  /** How many matches `repeat` takes at most. */
  readonly limit?: number;
  /** Hand on rows that don't match, too. */
  readonly keepOthers?: boolean;
}

/** Keeps the rows that match a regular expression and makes fields of its named groups. */
export function extractionStep(regex: Regex, options: ExtractionOptions): StreamStep {
  const { field, repeat, limit, keepOthers = false } = options;
  const names = regex.groups.map(({ name }) => name);
  const matchesOf = (text: string): RegExpExecArray[] | undefined => {
    const matches = repeat
      ? [...regex.matches(text, limit)]
      : [regex.exec(text)].filter((match) => match !== null);
    return matches.length === 0 ? undefined : matches;
  };
  return {
    effect: keepOthers ? 'reads' : 'renews',
    reads: field === undefined ? undefined : [field],
    rewrites: repeat ? undefined : names,
    ...(field !== undefined && !repeat && !keepOthers && { extracts: { field, regex } }),
    open: (run, emit, owned) => (row, stored) => {
      const text = field === undefined ? undefined : readField(row, field);
      const matches =
        field === undefined
          ? findInFields(run.isParser ? row : stored, matchesOf)
          : text === undefined
            ? undefined
            : matchesOf(text);
      if (matches !== undefined) emitMatches(matches, { row, stored, emit, inPlace: owned && !repeat });
      else if (keepOthers) emit(row, stored);
    },
    columns: (before: Columns) => withColumns(before, names),
  };

  function emitMatches(
    matches: readonly RegExpExecArray[],
    { row, stored, emit, inPlace }: { row: Fields; stored: Fields; emit: Emit; inPlace: boolean },
  ): void {
    for (const match of matches) {
      const target = inPlace ? row : copyFields(row);
      writeGroups(target, regex.groups, match);
      emit(target, stored);
    }
  }
}
