import { countText } from '../../core/count-text.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { shortenText } from '../../core/shorten-text.ts';
import type { LogEvent } from '../../index.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { type FieldPattern, fits, nameIn, patternText } from '../expectations/field-pattern.ts';
import { loggedValue, namesBelow } from '../expectations/logged-fields.ts';
import { type QueryTerm, queryTerms } from '../expectations/query-term.ts';
import type { AssertionOptions, LogSource } from '../log-source.ts';
import { differenceText } from './difference.ts';
import { logLine, shownValue } from './log-line.ts';
import type { Paint } from './paint.ts';
import type { ReportMask } from './report-mask.ts';

/** Maximum number of lines to show. */
const SHOWN_LINES = 3;

const MAX_CONDITION_CHARACTERS = 100;

/** Names that loggers use for the message; and for the time, which a record has only as its timestamp. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  message: 'msg',
  msg: 'message',
  time: '@timestamp',
  timestamp: '@timestamp',
};

export const TIME_ADVICE = 'the time is in "@timestamp": use the options "start" and "end"';

export const TAGS_ADVICE = 'tags are those of the transport, or of capture(logger, { tags })';

/** How far a record is from a condition that it fails, in thousandths: with another value, without the field, … */
const DIFFERENT = 1_000;
const ABSENT = 1_001;
/** … or with the expected value under another name, such as "msg" for "message". */
const MISNAMED = 501;

interface Condition {
  readonly name: string;
  /** 0 if the record satisfies it. */
  distance(record: LogEvent): number;
  /** Why a record fails it. */
  reason(record: LogEvent): string;
}

/** The records closest to an expectation, the first ones of equals, each with the conditions it fails. */
export async function nearestLines(
  source: LogSource,
  records: readonly LogEvent[],
  expectation: ResolvedExpectation,
  options: AssertionOptions,
  paint: Paint,
): Promise<string[]> {
  const conditions =
    expectation.kind === 'fields'
      ? fieldConditions(expectation.patterns, source.mask, paint)
      : await termConditions(source, queryTerms(expectation.queryString), options, paint);
  const ranked = records.map((record) => ({
    record,
    distance: conditions.reduce((sum, condition) => sum + condition.distance(record), 0),
  }));
  ranked.sort((left, right) => left.distance - right.distance);
  return ranked.slice(0, SHOWN_LINES).flatMap(({ record, distance }) => {
    const shown = source.mask.record(record);
    const failed = conditions.filter((condition) => condition.distance(record) > 0);
    const reasons = failed.map(({ name, reason }) => `${paint.expected(name)}: ${reason(shown)}`);
    if (distance === 0) reasons.push('passes the leading filters of the query, but not the steps after them');
    return [`  ${logLine(shown)}`, ...reasons.map((reason) => `    ${paint.wrong('✗')} ${reason}`)];
  });
}

function fieldConditions(
  patterns: ReadonlyMap<string, FieldPattern>,
  mask: ReportMask,
  paint: Paint,
): Condition[] {
  const shown = (name: string, pattern: FieldPattern): FieldPattern =>
    typeof pattern === 'string' ? mask.record({ [name]: pattern })[name]! : pattern;
  return [...patterns].map(([name, pattern]) => ({
    name: shortenText(`${name}=${mask.text(patternText(shown(name, pattern)))}`, MAX_CONDITION_CHARACTERS),
    distance(record) {
      if (fits(record, name, pattern)) return 0;
      if (namesBelow(record, nameIn(record, name)).length > 0) return DIFFERENT;
      const other = insteadOf(record, nameIn(record, name));
      return other !== undefined && fits(record, other, pattern) ? MISNAMED : ABSENT;
    },
    reason: (record) => fieldText(record, nameIn(record, name), paint, shown(name, pattern)),
  }));
}

async function termConditions(
  source: LogSource,
  terms: readonly QueryTerm[],
  options: AssertionOptions,
  paint: Paint,
): Promise<Condition[]> {
  return Promise.all(
    terms.map(async ({ queryString, text, fields }) => {
      const rows = await source.find({ kind: 'query', queryString }, options);
      const ids = new Set(rows.map((row) => row['@id']));
      // The values that a query expects are unknown, so another name may be right.
      const lacks = (record: LogEvent, name: string): boolean =>
        record[name] === undefined && insteadOf(record, name) === undefined;
      return {
        name: text,
        distance(record: LogEvent) {
          if (ids.has(record['@id'])) return 0;
          return fields.some((name) => lacks(record, name)) ? ABSENT : DIFFERENT;
        },
        reason: (record: LogEvent) =>
          fields.length === 0
            ? paint.wrong('not found')
            : fields.map((name) => fieldText(record, name, paint)).join(', '),
      };
    }),
  );
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
  return other === OTHER_NAMES[name]
    ? `, but "${other}" is ${shownValue(String(record[other]))}`
    : `; did you mean "${other}"?`;
}

/** The field that a record has instead of a missing one. */
function insteadOf(record: LogEvent, name: string): string | undefined {
  if (record[name] !== undefined || namesBelow(record, name).length > 0) return undefined;
  const other = OTHER_NAMES[name];
  if (other !== undefined && record[other] !== undefined) return other;
  return similarName(
    name,
    Object.keys(record).filter((known) => !known.startsWith('@')),
  );
}

/** Finds tags and nested fields, too, whose names have a prefix. */
function similarName(name: string, names: readonly string[]): string | undefined {
  const isAround = (known: string): boolean =>
    known === `#${name}` ||
    known.endsWith(`.${name}`) ||
    known.startsWith(name) ||
    name.endsWith(`.${known}`);
  return names.find(isAround) ?? nearestName(name, names);
}
