import { isDate, isRegExp } from 'node:util/types';
import { LogOptionsException } from '../../core/errors.ts';
import { describe } from '../../core/option-checks.ts';
import { sharedByCopies } from '../../core/real-process.ts';
import { LEVEL_FIELDS } from '../../core/records/record-fields.ts';
import { levelName as commonLevel } from '../../core/records/severity.ts';
import type { LogEvent } from '../../index.ts';
import { loggedValue, namesBelow } from './logged-fields.ts';

/** A matcher such as `expect.stringContaining('x')`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
  /** The type that the matcher accepts, if known: `number` for `expect.any(Number)`. */
  getExpectedType?(): string;
  toAsymmetricMatcher?(): string;
  /** The argument of the matcher. */
  readonly sample?: unknown;
}

/**
 * The expected value of a field. `undefined` means that the record has neither the field nor fields nested in it. The
 * service stores values as strings: numbers, `true`, `false` and `null` are compared as JavaScript writes them; a `Date`
 * matches an ISO 8601 string or epoch milliseconds.
 */
export type FieldPattern =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | RegExp
  | Date
  | AsymmetricMatcher;

/**
 * Expected fields by name. A nested object matches dotted fields (`{ err: { code: 'E1' } }` matches `err.code`), an
 * array matches indexed fields (`items[0]`) and no more elements, and an empty object or array matches absent fields. A
 * matcher such as `expect.objectContaining()` receives the value as logged. `level` is compared by name in any spelling
 * (`error` matches `ERROR`, `err` and 50). `message` also matches pino's `msg`. Values are of type {@link FieldPattern}.
 */
export type LogFields =
  | Readonly<Record<string, unknown>>
  | (object & { [Symbol.iterator]?: never; [Symbol.match]?: never });

/** Like `undefined`, but certainly meant: written as an empty object, or the end of an array. The same in each copy of the kit. */
const ABSENT: AsymmetricMatcher = sharedByCopies('absent', () => ({ asymmetricMatch: () => false }));

/** Whether a record must not have the field. */
export function isAbsent(pattern: FieldPattern): boolean {
  return pattern === undefined || pattern === ABSENT;
}

/** @throws LogOptionsException for an invalid field value. */
export function flattenFields(owner: string, fields: object): Map<string, FieldPattern> {
  const flat = new Map<string, FieldPattern>();
  const add = (name: string, value: unknown): void => {
    if (isPattern(value)) flat.set(name, value);
    // A level is one value: no record has fields below it.
    else if (
      name !== 'level' &&
      /^\[object (?:Array|Object)\]$/.test(Object.prototype.toString.call(value))
    ) {
      const members = Object.entries(Object(value));
      if (members.length === 0) flat.set(name, ABSENT);
      for (const [key, member] of members)
        add(Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`, member);
      if (Array.isArray(value) && value.length > 0) flat.set(`${name}[${value.length}]`, ABSENT);
    } else {
      throw new LogOptionsException(
        `${owner}: the field "${name}" must be a string, a number, a boolean, a Date, a RegExp, a matcher such as expect.stringContaining(), or an object of these (got ${isDate(value) ? 'an invalid Date' : isRegExp(value) ? 'an empty RegExp' : describe(value)}).`,
      );
    }
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return flat;
}

const levelNames = sharedByCopies('level-names', () => new Map<number, string>());
/** The fields in which loggers write the message. */
const messageNames = sharedByCopies('message-names', () => new Set(['message', 'msg']));

/** Names that loggers use for the error and the level, and for the time, which a record has only as its timestamp. */
const SAME_FIELDS = [['err', 'error'], ['@timestamp', 'time', 'timestamp'], LEVEL_FIELDS];

/** Adds names that a captured or tracked logger writes: of its numeric levels, and of the field for the message. */
export function addNames(levels: Readonly<Record<string, string>>, messageKey?: string): void {
  for (const [number, label] of Object.entries(levels)) levelNames.set(Number(number), label);
  if (messageKey !== undefined) messageNames.add(messageKey);
}

/** The name of a field in a record: pino writes `msg`, or its `messageKey`, for `message`. */
export function nameIn(record: LogEvent, name: string): string {
  const names = name === 'message' ? [...messageNames] : [];
  return names.find((known) => record[known] !== undefined) ?? name;
}

/** One name for all that loggers use for the same field: `err.message` for `error.msg`. */
function commonName(name: string): string {
  const same = [[...messageNames], ...SAME_FIELDS];
  const first = (part: string) =>
    same.find((names) => names.some((each) => each.toLowerCase() === part.toLowerCase()))?.[0];
  return (
    first(name) ??
    name
      .split('.')
      .map((part) => first(part) ?? part)
      .join('.')
  );
}

/** The field of a record that has another of the names that loggers use for it, or for the object that has it. */
export function otherName(name: string, record: LogEvent): string | undefined {
  const isOther = (other: string) => other !== name && commonName(other) === commonName(name);
  return name.startsWith('#') ? undefined : Object.keys(record).find(isOther);
}

/** Whether the field of a record matches the pattern. */
export function fits(record: LogEvent, name: string, pattern: FieldPattern): boolean {
  const field = nameIn(record, name);
  if (isAbsent(pattern)) return namesBelow(record, field).length === 0;
  const text = record[field] === undefined ? undefined : String(record[field]);
  if (isAsymmetric(pattern)) {
    const value = valueFor(pattern, text, loggedValue(record, field));
    return value !== undefined && pattern.asymmetricMatch(value);
  }
  if (text === undefined) return false;
  // `search` ignores the `lastIndex` of the expression.
  if (isRegExp(pattern)) return text.search(pattern) !== -1;
  if (isDate(pattern)) return (/^-?\d+$/.test(text) ? Number(text) : Date.parse(text)) === pattern.getTime();
  if (name === 'level') return levelName(text) === levelName(String(pattern));
  return text === String(pattern);
}

/** A pattern for messages. */
export function patternText(pattern: FieldPattern): string {
  if (isAbsent(pattern)) return '(no such field)';
  if (isAsymmetric(pattern)) return matcherText(pattern);
  if (isDate(pattern)) return pattern.toISOString();
  return typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
}

/** The name of the matcher with its argument: `StringContaining "declined"`. */
function matcherText(matcher: AsymmetricMatcher): string {
  const { sample } = matcher;
  if (matcher.toAsymmetricMatcher !== undefined)
    return matcher.toAsymmetricMatcher().replace(/\s*\n\s*/g, ' ');
  if (sample === undefined || isRegExp(sample)) return `${matcher} ${sample ?? ''}`.trimEnd();
  const shown = (_: string, value: unknown): unknown =>
    isAsymmetric(value) || isRegExp(value) ? patternText(value) : value;
  return `${matcher} ${JSON.stringify(sample, shown)}`;
}

function isPattern(value: unknown): value is FieldPattern {
  if (value === null || value === undefined) return true;
  // The values of a missing variable: they would match everything, or nothing.
  if (isRegExp(value)) return value.source !== '(?:)';
  if (typeof value === 'number') return Number.isFinite(value);
  if (isDate(value)) return !Number.isNaN(value.getTime());
  return ['string', 'bigint', 'boolean'].includes(typeof value) || isAsymmetric(value);
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof Object(value).asymmetricMatch === 'function';
}

/** A matcher for strings, numbers or booleans receives the converted value; others, the value as logged. */
function valueFor(matcher: AsymmetricMatcher, text: string | undefined, logged: unknown): unknown {
  const type = matcher.getExpectedType?.();
  if (type === 'number' && text?.trim() && !Number.isNaN(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return type === 'string' || logged === undefined ? (text ?? logged) : logged;
}

/** One name for all spellings of a level, also for a number that a logger gives its own level. */
function levelName(text: string): string {
  return commonLevel(levelNames.get(Number(text)) ?? text);
}
