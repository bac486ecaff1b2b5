import { isDeepStrictEqual } from 'node:util';

/** Queries whose result depends on the order of events, or has one. */
const ORDERED =
  /(?<![:\w])(?:sort|head|tail|table|top|accumulate|neighbor|slidingWindow|slidingTimeWindow|partition)\(/;

/** What depends on the time, or on fields that every event of a service has. */
const DEPENDENT =
  /\b(?:now|start|end|setTimeInterval|bucket|timeChart|createEvents|readFile|eventSize|eventFieldCount|fieldset|fieldstats|transpose|slidingTimeWindow)\(|explain:|include=\*/i;

/** Runs a case, and returns what the service does: the same, other rows, or an error. */
export async function runCase(client, golden, signal) {
  const { query, rows, arguments: values, timeZone } = golden;
  const reason = whyNotRun(golden);
  if (reason !== undefined) return { kind: 'skipped', query, reason };
  const queryString = withEvents(golden);
  const options = { start: '1h', end: 'now', arguments: values, timeZone, onWarning: () => {}, signal };
  try {
    const actual = (await client.query(queryString, options)).map((row) => visible(row, rows));
    const expected = rows.map((row) => visible(row, rows));
    const isSame = isDeepStrictEqual(sorted(actual, query), sorted(expected, query));
    return { kind: isSame ? 'same' : 'different', query, queryString, expected, actual };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { kind: 'error', query, queryString, expected: rows, error: firstLine(error) };
  }
}

function whyNotRun({ query, events }) {
  const names = events.flatMap((event) => Object.keys(event));
  if (names.some((name) => /^[@#]/.test(name))) return 'its events have times, tags or text';
  if (events.length > 50) return 'it has many events';
  if (DEPENDENT.test(query)) return 'its result depends on the time or on fields of the service';
  return undefined;
}

/** The query on its events. The newest event is the first row of the service. */
function withEvents({ query, events }) {
  if (events.length === 0) return query;
  const texts = events.map((event) => JSON.stringify(JSON.stringify(event)));
  return `createEvents([${texts.join(', ')}])\n| parseJson()\n| drop([@rawstring])\n| ${query.replace(/^\s*\|/, '')}`;
}

/** A row without the fields that every event has, unless the case expects one. */
function visible(row, rows) {
  const entries = Object.entries(row).filter(
    ([name]) => !/^[@#]/.test(name) || rows.some((each) => Object.hasOwn(each, name)),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]).sort());
}

function sorted(rows, query) {
  return ORDERED.test(query) ? rows : rows.map((row) => JSON.stringify(row)).sort();
}

function firstLine(error) {
  return (error.body ?? error.message).split('\n')[0].slice(0, 200);
}
