import { isServiceField } from '../../core/records/logger-line.ts';
import { errorLines, recordError } from '../../core/records/record-error.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from '../../core/records/record-fields.ts';
import { cellText, type Row } from '../output/row-format.ts';

/** Fields that repeat `@timestamp`, or carry no information. */
const REDUNDANT = new Set(['time', 'timestamp', 'v']);
const MAX_COLUMNS = 16;

/** Not the name of a field. */
const ERROR_COLUMN = '(error)';

export interface EventColumns {
  /** The events, each with its error in one column. */
  readonly rows: readonly Row[];
  /** In order of use: the time, the level, the service, the message, the error, then the fields that most events have. */
  readonly columns: readonly string[];
  /** Fields with the same value in every event, which need no column. */
  readonly constant: readonly (readonly [name: string, value: string])[];
  /** Further fields, of which only the names are shown. */
  readonly others: readonly string[];
}

/** Chooses the columns for some events, among them the fields that the query names. */
export function eventColumns(events: readonly Row[], query = ''): EventColumns {
  const named = new Set(query.match(/[@#]?[\w.]+/g));
  const replaced = new Set<string>();
  const rows = events.map((event) => withError(event, replaced));
  const uses = new Map<string, number>();
  for (const row of rows) {
    // The text of an event is its message if it has no other.
    const message = MESSAGE_FIELDS.find((name) => cellText(row, name) !== '');
    for (const name of Object.keys(row)) {
      if (name === '@timestamp') continue;
      const isShown = name === message || named.has(name) || !(isServiceField(name) || REDUNDANT.has(name));
      if (isShown && cellText(row, name) !== '') uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  const names = [...uses.keys()].sort(
    (one, other) => rank(one) - rank(other) || uses.get(other)! - uses.get(one)!,
  );
  const isConstant = (name: string): boolean =>
    rows.length > 1 && rows.every((row) => row[name] !== undefined && row[name] === rows[0]![name]);
  const constant = names.filter((name) => rank(name) > MESSAGE_RANK && isConstant(name));
  const rest = names.filter((name) => !constant.includes(name));
  return {
    rows,
    columns: ['@timestamp', ...rest.slice(0, MAX_COLUMNS)],
    constant: constant.map((name) => [name, cellText(rows[0]!, name)]),
    others: [...rest.slice(MAX_COLUMNS), ...replaced],
  };
}

/** @param replaced receives the fields that the column of the error shows */
function withError(event: Row, replaced: Set<string>): Row {
  const error = recordError(event);
  if (error === undefined) return event;
  for (const name of error.fields) replaced.add(name);
  const others = Object.entries(event).filter(([name]) => !error.fields.has(name));
  return { ...Object.fromEntries(others), [ERROR_COLUMN]: errorLines(error).join('\n') };
}

const MESSAGE_RANK = 2;

function rank(name: string): number {
  if (name === ERROR_COLUMN) return MESSAGE_RANK;
  const place = [LEVEL_FIELDS, SERVICE_FIELDS, MESSAGE_FIELDS].findIndex((names) => names.includes(name));
  return place === -1 ? MESSAGE_RANK + 1 : place;
}
