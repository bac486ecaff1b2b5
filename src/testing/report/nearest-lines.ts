import { nearestName } from '../../core/nearest-name.ts';
import type { LogEvent } from '../../index.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { type FieldPattern, fits, nameIn, patternText } from '../expectations/field-pattern.ts';
import { namesBelow } from '../expectations/logged-fields.ts';
import { type QueryTerm, queryTerms } from '../expectations/query-term.ts';
import type { AssertionOptions, LogSource } from '../log-source.ts';
import { differenceText } from './difference.ts';
import { cut, logLine, shownValue } from './log-line.ts';
import type { Paint } from './paint.ts';
import type { ReportMask } from './report-mask.ts';

/** Maximum number of lines to show. */
const SHOWN_LINES = 3;

const MAX_CONDITION_CHARACTERS = 100;

/** Names that loggers use for the message. */
const MESSAGE_NAMES: Readonly<Record<string, string>> = { message: 'msg', msg: 'message' };

interface Condition {
  readonly name: string;
  holds(record: LogEvent): boolean;
  /** Whether a record lacks one of its fields. */
  isAbsent(record: LogEvent): boolean;
  /** Whether a record that fails it has the expected value in the field that the hint names. */
  isMisnamed(record: LogEvent): boolean;
  /** Why a record fails it. */
  reason(record: LogEvent): string;
}

/**
 * The records closest to an expectation, by the number of conditions they satisfy, each with the conditions it fails. The
 * expected value under another name, such as "msg" for "message", counts half. Ties prefer records that have the fields with
 * other values, and newer ones.
 */
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
  const ranked = records
    .map((record) => {
      const failed = conditions.filter((condition) => !condition.holds(record));
      const misnamed = failed.filter((condition) => condition.isMisnamed(record)).length;
      return {
        record,
        failed,
        unmet: failed.length - misnamed / 2,
        absent: failed.filter((condition) => condition.isAbsent(record)).length,
      };
    })
    .reverse()
    .sort((left, right) => left.unmet - right.unmet || left.absent - right.absent);
  return ranked
    .slice(0, SHOWN_LINES)
    .map(({ record, failed }) => ({ record: source.mask.record(record), failed }))
    .flatMap(({ record, failed }) => [
      `  ${logLine(record)}`,
      ...(failed.length === 0
        ? [`    ${paint.wrong('✗')} passes the leading filters of the query, but not the steps after them`]
        : failed.map(
            ({ name, reason }) => `    ${paint.wrong('✗')} ${paint.expected(name)}: ${reason(record)}`,
          )),
    ]);
}

function fieldConditions(
  patterns: ReadonlyMap<string, FieldPattern>,
  mask: ReportMask,
  paint: Paint,
): Condition[] {
  const shown = (name: string, pattern: FieldPattern): FieldPattern =>
    typeof pattern === 'string' ? mask.record({ [name]: pattern })[name]! : pattern;
  return [...patterns].map(([name, pattern]) => ({
    name: cut(`${name}=${mask.text(patternText(shown(name, pattern)))}`, MAX_CONDITION_CHARACTERS),
    holds: (record) => fits(record, name, pattern),
    isAbsent: (record) => namesBelow(record, nameIn(record, name)).length === 0,
    isMisnamed: (record) => {
      const other = insteadOf(record, nameIn(record, name));
      return other !== undefined && fits(record, other, pattern);
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
      return {
        name: text,
        holds: (record: LogEvent) => ids.has(record['@id']),
        isAbsent: (record: LogEvent) =>
          fields.some((name) => record[name] === undefined && insteadOf(record, name) === undefined),
        // The values that a query expects are unknown.
        isMisnamed: () => false,
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
  return paint.wrong(`no field "${name}"`) + insteadText(record, name);
}

function insteadText(record: LogEvent, name: string): string {
  const other = insteadOf(record, name);
  if (other === undefined) return '';
  return other === MESSAGE_NAMES[name]
    ? `, but "${other}" is ${shownValue(String(record[other]))}`
    : `; did you mean "${other}"?`;
}

/** The field that a record has instead of a missing one. */
function insteadOf(record: LogEvent, name: string): string | undefined {
  if (record[name] !== undefined || namesBelow(record, name).length > 0) return undefined;
  const other = MESSAGE_NAMES[name];
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
