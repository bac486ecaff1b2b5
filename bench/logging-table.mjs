// Formats runs of loggers as a table.
import { medianRatio, medians } from './rounds.mjs';
import { deliveredText, firstLine, fixed, markdown, megabytes, UNKNOWN, whole, withRatio } from './table.mjs';

const COLUMNS = [
  'delivered records/s',
  'CPU us/record',
  'main thread us/record',
  'p99 of a call, us',
  'longest loop delay, ms',
  'peak RSS, MB',
  'wire B/record',
  'delivered',
];

/**
 * @param {string} title header of the first column
 * @param {{label: string, records: number, other?: string, results: object[], error?: Error}[]} rows `other` is the
 * label of the row that ratios are relative to
 */
export function loggingTable(title, rows) {
  const resultsOf = new Map(rows.map((row) => [row.label, row.results]));
  const cells = rows.map(({ label, records, other, results, error }) => [
    label,
    ...(error === undefined || results.length > 0
      ? cellsOf(records, results, resultsOf.get(other))
      : [`failed: ${firstLine(error.message)}`, ...COLUMNS.slice(1).map(() => UNKNOWN)]),
  ]);
  return markdown([title, ...COLUMNS], cells);
}

function cellsOf(records, results, others) {
  const own = medians(results);
  const compared = (text, name) => withRatio(text, medianRatio(results, others, name));
  const trouble = results.find((each) => each.trouble !== undefined)?.trouble;
  return [
    compared(whole(own.perSecond), 'perSecond'),
    compared(fixed(own.cpuUs), 'cpuUs'),
    compared(fixed(own.mainUs), 'mainUs'),
    compared(fixed(own.p99Us), 'p99Us'),
    fixed(own.loopDelayMs),
    compared(megabytes(own.peakRss), 'peakRss'),
    whole(own.wireBytes),
    [deliveredText(results, records), ...(trouble === undefined ? [] : [firstLine(trouble)])].join('; '),
  ];
}

/** A note on missing numbers, if any. */
export function missingNumbers(rows) {
  const results = rows.flatMap((row) => row.results);
  return results.length > 0 && results.every((each) => each.mainUs === undefined)
    ? 'The CPU of the main thread is unknown: this Node has no process.threadCpuUsage and this system no /proc.\n'
    : '';
}
