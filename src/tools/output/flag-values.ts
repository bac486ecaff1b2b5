import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { readDuration, splitRelativeTime } from '../../core/duration.ts';
import { parseTime } from '../../core/epoch.ts';
import { escapeRegex } from '../../core/escape-regex.ts';
import { epochMilliseconds } from '../../core/records/timestamp.ts';
import { SECRET_KEY } from '../../core/secrets/secret-kinds.ts';
import type { TimeZone } from '../../core/time-zone.ts';
import { timeZoneName } from '../../core/time-zone-name.ts';
import { tryOr } from '../../core/try-or.ts';

type Named = Readonly<Record<string, string>>;
type Connections = readonly { repositoryName: string; filter: string }[];

/** Parses a whole number within a range. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return parserOf(`It must be a whole number ${range}.`, (text) =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  );
}

/** Makes the parser of a flag. @param read returns `undefined` for a value that is wrong. A repeatable flag adds to what is `before` */
function parserOf<Value>(problem: string, read: (text: string, before?: Value) => Value | undefined) {
  return (text: string, before?: Value): Value => {
    const value = read(text, before);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(problem);
  };
}

function positive(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** Parses a number of days; fractions are allowed. */
export const numberOfDays = parserOf(
  'It must be a number of days greater than 0, such as 30 or 0.5.',
  positive,
);

/** Parses a number of rows; `all` is `Infinity`. */
export const rowLimit = parserOf('It must be a whole number of at least 1, or "all".', (text) => {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  return /^\d+$/.test(text) ? positive(text) : undefined;
});

/** Parses a limit: a number greater than 0, or `none` for no limit: commander treats null as a missing value. */
export const limitOrNone = parserOf('It must be a number greater than 0, or "none" for no limit.', (text) =>
  text === 'none' ? 'none' : positive(text),
);

/** Collects the `name=value` pairs of a repeatable flag. */
export const namedValue = parserOf(
  'It must have the form name=value, with each name once.',
  (text, before: Named = {}) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    return name === undefined || Object.hasOwn(before, name) ? undefined : { ...before, [name]: value! };
  },
);

/** Collects files as text, by their names without folders. */
export const fileText = parserOf(
  'It must be the path of a file that you can read.',
  (path, before: Named = {}) =>
    tryOr(undefined, () => ({ ...before, [basename(path)]: readFileSync(path, 'utf8') })),
);

/** Collects the values of a repeatable flag. @param problem why a value that does not match is rejected */
export function matching(pattern: RegExp, problem: string) {
  return parserOf(problem, (text, before: readonly string[] = []) =>
    pattern.test(text) ? [...before, text] : undefined,
  );
}

export const repeated = matching(/^/, '');
export const secretKey = matching(SECRET_KEY, 'Keys are names of fields at any depth, not paths.');

/** `.example.com` stands for all hosts of a domain. */
export const hostNames = matching(
  /^[^\s/:*]+$/,
  'It must be a host name such as logs.example.com, without protocol and port.',
);

/** Collects the connections of a view: `repository` or `repository=filter`. */
export const viewConnection = parserOf(
  'It must be the name of a repository or have the form repository=filter.',
  (text, before: Connections = []) => {
    const [, repositoryName, filter = '*'] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
    return repositoryName === undefined ? undefined : [...before, { repositoryName, filter }];
  },
);

/** Parses a comma-separated list of names: `level,msg,#service`. */
export const nameList = parserOf('It must be a comma-separated list of names.', (text) => {
  const names: readonly string[] = text.split(',').map((name) => name.trim());
  return names.includes('') ? undefined : names;
});

/** Collects search patterns: literal text, or a regular expression between slashes with flags (`/time ?out/i`). */
export function textPattern(text: string, before: readonly RegExp[] = []): readonly RegExp[] {
  const [, expression, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (text === '')
    throw new InvalidArgumentError('It must be text or a regular expression such as /time ?out/i.');
  try {
    const source = expression ?? escapeRegex(text);
    return [...before, new RegExp(source, `g${flags}`)];
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** Such as 2h30m, which services do not know. */
const COMPOUND = /^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/;
const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;
const OFFSET = /(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Reads a point in time: `15m`, `-15m` or `15m ago`, `now`, a date, a date with a time, epoch milliseconds, or epoch seconds and others by
 * their size. Returns `undefined` for other text.
 *
 * @param zone of times that name none. Default: local time
 */
export function timeAt(text: string, zone?: TimeZone): number | string | undefined {
  const value = text.trim();
  if (value === '0') return 0; // The start of all times.
  const lower = value.toLowerCase().replace(/^-(?=\d)|\s+ago$/g, '');
  if (splitRelativeTime(lower) !== undefined) return lower;
  const parts = (COMPOUND.test(lower) && lower.match(/\d+./g)) || [];
  const sumMs = parts.reduce((all, part) => all + readDuration(part)!, 0);
  if (sumMs > 0) return `${sumMs / 1000}s`;
  const epoch = /^\d+$/.test(value) ? epochMilliseconds(Number(value)) : undefined;
  if (epoch !== undefined) return epoch;
  if (!ISO.test(value)) return undefined;
  // A date alone would be read as UTC, but one with a time as local.
  const midnight = value.length === 10 ? 'T00:00' : '';
  const written = value.replace(' ', 'T').replace(',', '.').replace(' ', '') + midnight;
  const isLocal = zone === undefined || OFFSET.test(written);
  const time = isLocal ? parseTime(written) : zone.toEpoch(parseTime(`${written}Z`));
  return Number.isNaN(time) ? undefined : time;
}

/** Checks a point in time, which {@link timeAt} reads once the time zone is known. */
export const pointInTime = parserOf(
  'It must be a relative time such as 15m or "2 days", a date such as 2026-11-20 or 2026-11-20T10:00, or epoch milliseconds.',
  (text) => (timeAt(text) === undefined ? undefined : text),
);

/** Checks the name of a time zone. */
export const timeZoneFlag = parserOf(
  'It must be a time zone name such as UTC or Europe/Copenhagen.',
  (text) =>
    tryOr(undefined, () => {
      const timeZone = timeZoneName(text);
      return new Intl.DateTimeFormat('en', { timeZone }) && timeZone;
    }),
);
