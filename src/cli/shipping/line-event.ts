import type { JsonValue, StructuredEvent } from '../../wire/ingest.ts';

/** Where a JSON line has its time, by preference. */
const TIME_MEMBERS = ['@timestamp', 'timestamp', 'time'];
/** An earlier time in milliseconds is one in seconds. */
const MIN_EPOCH_MS = 100_000_000_000;

/**
 * A line that is a JSON object as an event with its fields; `undefined` for any other line.
 *
 * @param fields are added to its own.
 * @param now the time of a line that has none, in epoch milliseconds.
 */
export function jsonLineEvent(
  line: string,
  fields: Readonly<Record<string, string>>,
  now: number,
): StructuredEvent | undefined {
  const members = objectOf(line);
  if (members === undefined) return undefined;
  return { timestamp: timeOf(members) ?? now, attributes: { ...members, ...fields }, rawstring: line };
}

function objectOf(line: string): Readonly<Record<string, JsonValue>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, JsonValue>;
  } catch {
    return undefined;
  }
}

function timeOf(members: Readonly<Record<string, JsonValue>>): number | string | undefined {
  for (const name of TIME_MEMBERS) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof value === 'number' && value > 0 && value < 8.64e15) {
      return Math.round(value < MIN_EPOCH_MS ? value * 1000 : value);
    }
    // Without an offset the service would not know which time is meant.
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i.test(value)) return value;
  }
  return undefined;
}
