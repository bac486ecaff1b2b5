import type { LogEvent } from '../../index.ts';
import { nearestName } from '../../internal/option-checks.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { type FieldPattern, fits, patternText, textOf } from '../expectations/field-pattern.ts';
import { type QueryTerm, queryTerms } from '../expectations/query-term.ts';
import type { LogSource, LookOptions } from '../looks/log-source.ts';
import { logLine, shownValue } from './log-line.ts';
import type { Paint } from './paint.ts';

/** How many lines are shown. */
const SHOWN_LINES = 3;

interface Condition {
  readonly name: string;
  holds(record: LogEvent): boolean;
  /** Why it does not hold for a record. */
  reason(record: LogEvent): string;
}

/**
 * The records that come nearest to an expectation, by the number of conditions that hold, each with the conditions that
 * don't. Newer ones go first among equals.
 */
export async function nearestLines(
  source: LogSource,
  records: readonly LogEvent[],
  expectation: ResolvedExpectation,
  options: LookOptions,
  paint: Paint,
): Promise<string[]> {
  const conditions =
    expectation.kind === 'fields'
      ? fieldConditions(expectation.patterns, paint)
      : await termConditions(source, queryTerms(expectation.queryString), options, paint);
  const ranked = records
    .map((record) => ({ record, failed: conditions.filter((condition) => !condition.holds(record)) }))
    .reverse()
    .sort((left, right) => left.failed.length - right.failed.length);
  return ranked
    .slice(0, SHOWN_LINES)
    .flatMap(({ record, failed }) => [
      `  ${logLine(record)}`,
      ...(failed.length === 0
        ? [
            `    ${paint.wrong('✗')} It passes the filters that the query begins with, but not what follows them.`,
          ]
        : failed.map(
            ({ name, reason }) => `    ${paint.wrong('✗')} ${paint.expected(name)}: ${reason(record)}`,
          )),
    ]);
}

function fieldConditions(patterns: ReadonlyMap<string, FieldPattern>, paint: Paint): Condition[] {
  return [...patterns].map(([name, pattern]) => ({
    name: `${name}=${patternText(pattern)}`,
    holds: (record) => fits(record, name, pattern),
    reason: (record) => fieldText(record, name, paint),
  }));
}

async function termConditions(
  source: LogSource,
  terms: readonly QueryTerm[],
  options: LookOptions,
  paint: Paint,
): Promise<Condition[]> {
  return Promise.all(
    terms.map(async ({ queryString, text, fields }) => {
      const rows = await source.find({ kind: 'query', queryString }, options);
      const ids = new Set(rows.map((row) => row['@id']));
      return {
        name: text,
        holds: (record: LogEvent) => ids.has(record['@id']),
        reason: (record: LogEvent) =>
          fields.length === 0
            ? paint.wrong('not found')
            : fields.map((name) => fieldText(record, name, paint)).join(', '),
      };
    }),
  );
}

function fieldText(record: LogEvent, name: string, paint: Paint): string {
  const value = textOf(record, name);
  if (value !== undefined) return `${name} is ${paint.wrong(shownValue(value))}`;
  const names = Object.keys(record).filter((known) => !known.startsWith('@'));
  const near = similarName(name, names);
  return paint.wrong(`there is no field "${name}"`) + (near === undefined ? '' : `, but "${near}"`);
}

/** A tag has a mark before its name, a nested field the names of others, and some names are longer than one thinks. */
function similarName(name: string, names: readonly string[]): string | undefined {
  const isAround = (known: string): boolean =>
    known === `#${name}` ||
    known.endsWith(`.${name}`) ||
    known.startsWith(name) ||
    name.endsWith(`.${known}`);
  return names.find(isAround) ?? nearestName(name, names);
}
