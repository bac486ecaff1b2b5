import { isCommonField, isServiceField } from './logger-line.ts';

/** A field of some events. */
export interface FieldSummary {
  readonly name: string;
  /** Share of the events that have it, from 0 to 1. */
  readonly coverage: number;
  readonly distinct: number;
  /** The most frequent values and their counts. */
  readonly top: readonly (readonly [string, number])[];
}

export const MAX_FIELDS = 300;
const TOP = 30;
/** A field with more values in all records is an ID or free text. */
const MAX_TELLING = 50;
/** Longer values are compared by their start. */
const VALUE_LENGTH = 200;

/**
 * Summarizes the fields of events, at most {@link MAX_FIELDS} of those that are wanted, most useful first; fields added
 * by the service are last.
 */
export function summarizeFields(
  rows: readonly object[],
  isWanted: (name: string) => boolean = () => true,
): readonly FieldSummary[] {
  const fields = new Map<string, Map<string, number>>();
  for (const row of rows) {
    for (const [name, content] of Object.entries(row)) {
      let values = fields.get(name);
      if (values === undefined) {
        if (fields.size === MAX_FIELDS || !isWanted(name)) continue;
        values = new Map();
        fields.set(name, values);
      }
      const value = String(content).slice(0, VALUE_LENGTH);
      values.set(value, (values.get(value) ?? 0) + 1);
    }
  }
  return [...fields]
    .map(([name, values]): FieldSummary => {
      const counts = [...values].sort(([, left], [, right]) => right - left);
      const covered = counts.reduce((sum, [, count]) => sum + count, 0);
      return { name, coverage: covered / rows.length, distinct: values.size, top: counts.slice(0, TOP) };
    })
    .sort((a, b) => rank(a) - rank(b) || b.coverage - a.coverage || (a.name < b.name ? -1 : 1));
}

/** Fields that tell records apart come first. A value that all records share, or that is unique to each, tells less. */
function rank({ name, coverage, distinct }: FieldSummary): number {
  if (isServiceField(name)) return 3;
  if (isCommonField(name)) return 2;
  return distinct > 1 && (coverage < 1 || distinct < MAX_TELLING) ? 0 : 1;
}
