import { MESSAGE_FIELDS } from './record-fields.ts';

/** The numeric levels of pino and bunyan. */
export const LABELED_LEVELS: ReadonlyMap<number, string> = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);
/** All of these labels. */
export const LEVEL_LABELS: readonly string[] = [...LABELED_LEVELS.values()];

const MIN_EPOCH_SECONDS = 100_000_000;

/**
 * The label of a record's numeric level, such as `error` for 50.
 *
 * @param level the field `level`; numbers may be text.
 * @param time the field `time`. Records of pino and bunyan have an epoch time or ISO 8601 there, or a `msg`.
 * @param hasMsg whether there is a field `msg`.
 * @returns `undefined` for a custom level, and for a record that pino or bunyan did not write.
 */
export function levelLabel(level: unknown, time: unknown, hasMsg: boolean): string | undefined {
  const isLogger =
    hasMsg || numberOf(time) >= MIN_EPOCH_SECONDS || /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(String(time));
  return isLogger ? LABELED_LEVELS.get(numberOf(level)) : undefined;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : Number.NaN;
  const integer = integerOf(value);
  return integer === -1 && /^\d/.test(value) ? Number(value) : integer;
}

/** The value of a number with up to 15 digits, faster than by `Number`; -1 for any other text. */
export function integerOf(text: string): number {
  let number = text === '' || text.length > 15 ? -1 : 0;
  for (let index = 0; number >= 0 && index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : -1;
  }
  return number;
}

/** Whether the service adds a field to every event. */
export function isServiceField(name: string): boolean {
  return /^(@|#repo$|#type$)/.test(name);
}

/** Whether the service or a logger adds a field to every event, so that a line about one event can omit it. */
export function isCommonField(name: string): boolean {
  return isServiceField(name) || /^(#level|time|timestamp|v|pid|hostname)$/.test(name);
}

/**
 * The order of fields in a line that may be cut: what a request was and how it ended, the record's own fields and the message
 * of its error, nested fields by depth, headers.
 */
export function inLineOrder(names: readonly string[]): readonly string[] {
  const rank = (name: string): number => {
    if (/(?:^|\.)(?:method|url|path|status|statusCode|responseTime)$/.test(name)) return 0;
    if (/(?:^|\.)headers\.|(?:^|\.)remote(?:Address|Port)$/.test(name)) return Number.MAX_SAFE_INTEGER;
    return MESSAGE_FIELDS.includes(name) ? 1 : name.split('.').length;
  };
  return names.toSorted((left, right) => rank(left) - rank(right));
}
