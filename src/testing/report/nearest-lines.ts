import { countText } from '../../core/count-text.ts';
import { escapeRegex } from '../../core/escape-regex.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { isServiceField } from '../../core/records/logger-line.ts';
import { LEVEL_FIELDS } from '../../core/records/record-fields.ts';
import { levelName } from '../../core/records/severity.ts';
import { shortenText } from '../../core/shorten-text.ts';
import type { LogEvent } from '../../index.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { type FieldPattern, fits, nameIn, otherName, patternText } from '../expectations/field-pattern.ts';
import { loggedValue, lostError, namesBelow } from '../expectations/logged-fields.ts';
import { queryTerms } from '../expectations/query-term.ts';
import type { AssertionOptions, LogSource } from '../log-source.ts';
import { differenceText } from './difference.ts';
import { logLine, shownValue } from './log-line.ts';
import type { Paint } from './paint.ts';

/** Maximum number of lines to show. */
const SHOWN_LINES = 3;

const MAX_CONDITION_CHARACTERS = 100;

export const TIME_ADVICE = 'the time is in "@timestamp": use the options "start" and "end"';

export const TAGS_ADVICE = 'tags are those of the transport, or of capture(logger, { tags })';

/** How far a record is from a condition that it fails, in thousandths: with another value, without the field, … */
const DIFFERENT = 1_000;
const ABSENT = 1_001;
/** … or with the expected value under another name, such as "msg" for "message", or a similar value. */
const SIMILAR = 501;

interface Condition {
  readonly text: string;
  /** The query that it is a part of. */
  readonly query?: string;
  /** The expected value, if it has one. */
  readonly expected: string;
  /** What is expected of the field; unknown in a query. */
  readonly pattern?: FieldPattern;
  /** The fields that it reads in a record. */
  namesIn(record: LogEvent): readonly string[];
  /** @param other the field that a record may have instead */
  accepts(record: LogEvent, other?: string): boolean;
}

/** The records closest to an expectation, the first ones of equals, each with the conditions it fails. */
export async function nearestLines(
  { source, paint }: { readonly source: LogSource; readonly paint: Paint },
  records: readonly LogEvent[],
  expectation: ResolvedExpectation,
  options: AssertionOptions,
): Promise<string[]> {
  const conditions = await conditionsOf(source, expectation, options);
  const ranked = records.map((record) => {
    return { record, distance: conditions.reduce((sum, each) => sum + distanceOf(record, each), 0) };
  });
  ranked.sort((left, right) => left.distance - right.distance);
  return ranked.slice(0, SHOWN_LINES).flatMap(({ record, distance }) => {
    const shown = source.mask.record(record);
    const reasons = conditions.flatMap((condition) => {
      const { text, pattern, namesIn, accepts } = condition;
      if (accepts(record)) return [];
      const fields = namesIn(record).map((name) => fieldText(shown, name, paint, pattern));
      const found = fields.join(', ') || paint.wrong('not found');
      return `${paint.expected(text)}: ${found}${likeness(record, condition)}`;
    });
    if (distance === 0) reasons.push('passes the leading filters of the query, but not the steps after them');
    return [`  ${logLine(shown)}`, ...reasons.map((reason) => `    ${paint.wrong('✗')} ${reason}`)];
  });
}

/** A string in one form of the characters that look the same, such as no-break spaces. */
function looksOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/[‘’“”"'\\]|\p{Cf}/gu, '');
}

/** Whether a string contains a part only in other characters that look the same. */
function resembles(whole: string, part: string): boolean {
  return !whole.includes(part) && looksOf(whole).includes(looksOf(part));
}

/** A value of a level in one of its spellings, and any other in lower case. */
function inOneSpelling(name: string, value: string): string {
  return LEVEL_FIELDS.includes(name) ? levelName(value) : looksOf(value).trim().toLowerCase();
}

/** Matches strings as a query does, where `*` is any text. */
const wildcard = (text: string) => new RegExp(`^${text.split('*').map(escapeRegex).join('.*')}$`, 's');

/** How a record meets a condition that it fails, but for its form; empty if it doesn't. */
function likeness(record: LogEvent, { text, query = '', expected, pattern, namesIn }: Condition): string {
  const fields = namesIn(record).map((name) => [name, String(record[name] ?? '')] as const);
  const values = Object.entries(record).flatMap(([name, value]) =>
    isServiceField(name) ? [] : String(value),
  );
  const isInside = values.some((value) => resembles(value, text));
  if (isInside || fields.some(([, value]) => resembles(text, value))) return ', but a string looks the same';
  const isSame = ([name, value]: readonly [string, string]): boolean =>
    !wildcard(expected).test(value) &&
    wildcard(inOneSpelling(name, expected)).test(inOneSpelling(name, value));
  if (fields.some(isSame)) return ', in another spelling';
  // A condition without a field searches all; a part of a word is another word.
  const part = looksOf(text).trim().split('*').map(escapeRegex).join('.*');
  const words = new RegExp(`(?<![\\p{L}\\p{N}_])${part}(?![\\p{L}\\p{N}_])`, 'isu');
  if (fields.length === 0 && values.some((value) => words.test(looksOf(value))))
    return ', but in another case';
  const unquoted = query.replace(/\s*=\s*/g, '=');
  if (fields.some(([name, value]) => / /.test(value) && unquoted.includes(`${name}=${value}`)))
    return '; a value with spaces needs quotes';
  const lost = fields.flatMap(([name]) => lostError(record, name) ?? []);
  if (lost.length > 0) return `; "${lost[0]}" was logged as {}, as pino logs an Error unless it is in "err"`;
  if (typeof pattern !== 'string' || !pattern.includes('*')) return '';
  const isMet = fields.some(([, value]) => wildcard(pattern).test(value));
  return isMet ? '; "*" is a wildcard only in queries: use a RegExp' : '';
}

/** The lines of a record that fails an expectation only in the form of values; empty if none does. */
export async function nearMiss(
  context: { readonly source: LogSource; readonly paint: Paint },
  expectation: ResolvedExpectation,
  options: AssertionOptions,
): Promise<string[]> {
  const conditions = await conditionsOf(context.source, expectation, options);
  const record = (await context.source.records(options)).find((each) => {
    const failed = conditions.filter(({ accepts }) => !accepts(each));
    return failed.length > 0 && failed.every((condition) => likeness(each, condition) !== '');
  });
  return record === undefined ? [] : nearestLines(context, [record], expectation, options);
}

async function conditionsOf(
  source: LogSource,
  expectation: ResolvedExpectation,
  options: AssertionOptions,
): Promise<Condition[]> {
  if (expectation.kind === 'fields')
    return [...expectation.patterns].map(([name, expected]) => {
      const isText = typeof expected === 'string';
      const pattern = isText ? source.mask.record({ [name]: expected })[name]! : expected;
      return {
        text: shortenText(`${name}=${source.mask.text(patternText(pattern))}`, MAX_CONDITION_CHARACTERS),
        expected: /^StringContaining/.test(String(pattern)) ? `*${Object(pattern).sample}*` : String(pattern),
        pattern,
        namesIn: (record) => [nameIn(record, name)],
        accepts: (record, other = name) => fits(record, other, expected),
      };
    });
  return Promise.all(
    queryTerms(expectation.queryString).map(async ({ queryString, text, fields }) => {
      const rows = await source.find({ kind: 'query', queryString }, options);
      const ids = new Set(rows.map((row) => row['@id']));
      const accepts: Condition['accepts'] = (record, other) => other === undefined && ids.has(record['@id']);
      const expected = text.slice(text.indexOf('=') + 1).replace(/^\s*"?|"?[\s)]*$/g, '');
      return { text, query: expectation.queryString, expected, namesIn: () => fields, accepts };
    }),
  );
}

function distanceOf(record: LogEvent, condition: Condition): number {
  const { namesIn, accepts } = condition;
  if (accepts(record)) return 0;
  const absent = namesIn(record).filter((name) => namesBelow(record, name).length === 0);
  const others = absent.map((name) => insteadOf(record, name));
  if (others.includes(undefined)) return ABSENT;
  if (others.length === 0) return likeness(record, condition) === '' ? DIFFERENT : SIMILAR;
  return others.every((other) => accepts(record, other)) ? SIMILAR : DIFFERENT;
}

function fieldText(record: LogEvent, name: string, paint: Paint, pattern?: FieldPattern): string {
  const value = record[name];
  if (value !== undefined) return `${name} ${differenceText(String(value), pattern, paint.wrong)}`;
  const below = namesBelow(record, name);
  if (below.length > 0) return below.map((member) => fieldText(record, member, paint)).join(', ');
  const array = loggedValue(record, name.replace(/\[\d+\][^[]*$/, ''));
  if (Array.isArray(array)) return `the array has ${paint.wrong(countText(array.length, 'element'))}`;
  return paint.wrong(`no field "${name}"`) + insteadText(record, name);
}

function insteadText(record: LogEvent, name: string): string {
  const other = insteadOf(record, name);
  if (other === undefined) return name.startsWith('#') ? `; ${TAGS_ADVICE}` : '';
  if (other === '@timestamp') return `; ${TIME_ADVICE}`;
  return other === otherName(name, record)
    ? `, but "${other}" is ${shownValue(String(record[other]))}`
    : `; did you mean "${other}"?`;
}

/** The field that a record has instead of a missing one. */
function insteadOf(record: LogEvent, name: string): string | undefined {
  if (record[name] !== undefined || namesBelow(record, name).length > 0) return undefined;
  const names = Object.keys(record).filter((each) => !each.startsWith('@'));
  // Tags and nested fields have a prefix.
  const isAround = (known: string): boolean =>
    known === `#${name}` ||
    known.endsWith(`.${name}`) ||
    known.startsWith(name) ||
    name.endsWith(`.${known}`);
  return otherName(name, record) ?? names.find(isAround) ?? nearestName(name, names);
}
