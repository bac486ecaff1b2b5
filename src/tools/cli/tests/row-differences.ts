import { timeZoneOrUtc } from '../../../core/time-zone.ts';
import { timeAt } from '../../output/flag-values.ts';
import type { ExpectedRow } from './query-test-file.ts';
import type { Failure } from './test-report.ts';

const UTC = timeZoneOrUtc('UTC');

/** A row with its position, counted from 1. */
interface Placed {
  readonly row: ExpectedRow;
  readonly place: number;
}

/** The differences between expected and actual rows. Rows that match are omitted, in any order. */
export function rowDifferences(
  expected: readonly ExpectedRow[],
  actual: readonly ExpectedRow[],
): readonly Failure[] {
  const missing: Placed[] = [];
  const unexpected: Placed[] = actual.map((row, index) => ({ row, place: index + 1 }));
  for (const [index, row] of expected.entries()) {
    const at = unexpected.findIndex((each) => isEqual(row, each.row));
    if (at === -1) missing.push({ row, place: index + 1 });
    else unexpected.splice(at, 1);
  }
  const pairs = Math.min(missing.length, unexpected.length);
  const failures = [
    ...missing.slice(0, pairs).flatMap((each, index) => fieldDifferences(each, unexpected[index]!.row)),
    ...missing
      .slice(pairs)
      .map(({ row, place }) => ({ message: `row ${place} is missing`, expected: JSON.stringify(row) })),
    ...unexpected
      .slice(pairs)
      .map(({ row, place }) => ({ message: `row ${place} is unexpected`, actual: JSON.stringify(row) })),
  ];
  if (failures.length > 0 || expected.every((row, index) => isEqual(row, actual[index]!))) return failures;
  return [
    {
      message: 'the rows are in another order; sort() fixes the order',
      expected: expected.map((row) => JSON.stringify(row)).join('\n'),
      actual: actual.map((row) => JSON.stringify(row)).join('\n'),
    },
  ];
}

function fieldDifferences({ row, place }: Placed, actual: ExpectedRow): readonly Failure[] {
  return Object.keys({ ...row, ...actual })
    .filter((name) => differs(name, row, actual))
    .map((name) => ({ message: `row ${place}: ${name}`, expected: row[name], actual: actual[name] }));
}

function isEqual(row: ExpectedRow, actual: ExpectedRow): boolean {
  return fieldDifferences({ row, place: 0 }, actual).length === 0;
}

/** Fields that every event has are compared only if they are expected. Times are equal in any form, and `150.0` expects 150. */
function differs(name: string, expected: ExpectedRow, actual: ExpectedRow): boolean {
  const [wanted, found] = [expected[name], actual[name]];
  if (wanted === undefined && name.startsWith('@')) return false;
  const isTime = /^@\w*timestamp$/.test(name);
  if (wanted === found || (isTime && timeAt(wanted!, UTC) === Number(found))) return false;
  const isDecimal = wanted !== undefined && /^-?\d+\.\d+$/.test(wanted);
  return !isDecimal || wanted.replace(/\.?0+$/, '') !== found;
}
