// Runs of loggers as a table.
import { medians } from './rounds.mjs';
import { fixed, markdown, megabytes, UNKNOWN, whole, withRatio } from './table.mjs';

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
 * @param {string} title of the first column
 * @param {{label: string, records: number, other?: string, results: object[], error?: Error}[]} rows `other` is the
 *   label of the row that ratios are to
 */
export function loggingTable(title, rows) {
  const numbers = new Map(rows.map((row) => [row.label, medians(row.results)]));
  const cells = rows.map(({ label, records, other, results, error }) => [
    label,
    ...(error === undefined || results.length > 0
      ? cellsOf(numbers.get(label), numbers.get(other) ?? {}, records, results)
      : [`failed: ${firstLine(error.message)}`, ...COLUMNS.slice(1).map(() => UNKNOWN)]),
  ]);
  return markdown([title, ...COLUMNS], cells);
}

function cellsOf(own, other, records, results) {
  const trouble = results.find((each) => each.trouble !== undefined)?.trouble;
  return [
    withRatio(whole(own.perSecond), own.perSecond, other.perSecond),
    withRatio(fixed(own.cpuUs), own.cpuUs, other.cpuUs),
    withRatio(fixed(own.mainUs), own.mainUs, other.mainUs),
    fixed(own.p99Us),
    fixed(own.loopDelayMs),
    withRatio(megabytes(own.peakRss), own.peakRss, other.peakRss),
    whole(own.wireBytes),
    [deliveredText(results, records), ...(trouble === undefined ? [] : [firstLine(trouble)])].join('; '),
  ];
}

/** The worst round: nobody wins by losing. */
function deliveredText(results, records) {
  const least = Math.min(...results.map((each) => each.delivered));
  const most = Math.max(...results.map((each) => each.delivered));
  if (least === records && most === records) return 'all';
  if (most > records) return `${whole(most)} of ${whole(records)}: some twice`;
  return `${whole(least)} of ${whole(records)}`;
}

const firstLine = (text) => text.split('\n', 1)[0].replaceAll('|', '/').slice(0, 120);

/** What has to be said of the numbers, if anything. */
export function missingNumbers(rows) {
  const results = rows.flatMap((row) => row.results);
  return results.length > 0 && results.every((each) => each.mainUs === undefined)
    ? 'The CPU of the main thread is unknown: this Node has no process.threadCpuUsage and this system no /proc.\n'
    : '';
}
