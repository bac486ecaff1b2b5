import { InvalidArgumentError } from 'commander';

/** Reads the value of a flag as a whole number within a range. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const upper = max === Number.MAX_SAFE_INTEGER ? ' or more' : ` to ${max}`;
    throw new InvalidArgumentError(`It must be a whole number, ${min}${upper}.`);
  };
}

/** Reads a number of days, which need not be whole. */
export function numberOfDays(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number of days above 0; half a day is 0.5.');
}

/** Reads a limit: a number above 0, or `none` for no limit. */
export function limitOrNone(text: string): number | 'none' {
  // commander takes null for a flag without a value.
  if (text === 'none') return 'none';
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0, or "none" for no limit.');
}

/** Gathers the values of a flag that may be repeated, each of the form `name=value`. */
export function namedValue(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must have the form name=value.');
  }
  return { ...before, [name]: value };
}

/** Gathers what a view shows: `repository`, or `repository=filter`. */
export function viewConnection(
  text: string,
  before: readonly { repositoryName: string; filter: string }[] = [],
): readonly { repositoryName: string; filter: string }[] {
  const [, repositoryName, filter = '*'] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
  if (repositoryName !== undefined) return [...before, { repositoryName, filter }];
  throw new InvalidArgumentError('It must be the name of a repository, or have the form repository=filter.');
}

/** Reads a list of names: `level,msg,#service`. */
export function nameList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('It must be names with commas between them.');
}

/** Gathers texts to look for: as they are, or expressions between slashes, with their flags behind (`/time ?out/i`). */
export function textPattern(text: string, before: readonly RegExp[] = []): readonly RegExp[] {
  const [, expression, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (text === '')
    throw new InvalidArgumentError('It must be a text, or an expression such as /time ?out/i.');
  try {
    const source = expression ?? text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return [...before, new RegExp(source, `g${flags}`)];
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

const RELATIVE =
  /^\d+\s*(ms|millis|milliseconds?|s|secs?|seconds?|m|min|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mon|months?|q|qtrs?|quarters?|y|yrs?|years?)$/i;
const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Reads a point in time: `15m` (ago), `now`, a date, a date with a time (of this computer's zone, unless it says
 * another one), or epoch milliseconds.
 */
export function pointInTime(text: string): number | string {
  const value = text.trim();
  if (value === 'now' || RELATIVE.test(value)) return value;
  if (/^\d{12,15}$/.test(value)) return Number(value);
  // Ten digits are seconds of our time; as milliseconds they would be a day in January 1970.
  if (/^\d{9,11}$/.test(value)) return Number(value) * 1000;
  if (ISO.test(value)) {
    // A date alone would be read as UTC, a date with a time as local.
    const isDate = value.length === 10;
    const time = Date.parse(
      isDate ? `${value}T00:00` : value.replace(' ', 'T').replace(',', '.').replace(' ', ''),
    );
    if (!Number.isNaN(time)) return time;
  }
  throw new InvalidArgumentError(
    'It must be a time before now such as 15m or "2 days", a time such as 2026-11-20T10:00, or epoch milliseconds.',
  );
}

/** Reads the name of a time zone, as dates are written in it. */
export function timeZoneName(text: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    throw new InvalidArgumentError('It must be the name of a time zone, such as UTC or Europe/Copenhagen.');
  }
}
