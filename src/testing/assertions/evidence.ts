import { LogOptionsException } from '../../core/errors.ts';
import { quoteString } from '../../core/query-text.ts';
import type { LogEvent } from '../../index.ts';
import { demandsOf, expectationText, type ResolvedExpectation } from '../expectations/expectation.ts';
import { fits } from '../expectations/field-pattern.ts';
import { type LevelFields, levelsText } from '../loggers/capture-delivery.ts';
import { OTHER_NAMES, TIME_ADVICE } from '../report/nearest-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

const NOT_ATTACHED =
  'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.';

type Context = Pick<AssertionContext, 'loggers' | 'source'>;

/**
 * The absence of a record proves something only if it could have been seen: by a capture that is still attached, in a time
 * range that can hold records, in the field for the message, and with a level that a logger lets through or a record has.
 * Another process may log any level.
 *
 * @throws LogOptionsException that says what is missing
 */
export async function requireEvidence(
  { loggers, source }: Context,
  { expectation, searched = {} }: Partial<Verdict> = {},
): Promise<void> {
  const [lost] = loggers.flatMap((logger) => logger.lost() ?? []);
  if (lost !== undefined) throw noProof('record', lost);
  const records = await source.records({});
  if (loggers.length === 0 && records.length === 0) throw new LogOptionsException(NOT_ATTACHED);
  const arrived = new Set(records.map(({ level }) => String(level)));
  const fromLoggers = loggers.map((logger) => logger.levels(arrived));
  const known = fromLoggers.flatMap((levels) => levels ?? []);
  const names = [...new Set(['level', ...known.flatMap(Object.keys)])];
  const levels = distinct([...known, ...records.map((record) => levelFields(record, names))]);
  const hasLevels = records.length === 0 || levels.some((fields) => Object.keys(fields).length > 0);
  const isUnknown = fromLoggers.includes(undefined) || hasOthers(loggers, records);
  const advice = `${hasLevels ? levelsText(levels) : 'The records have no "level".'} Set the level of the logger in the test, capture the logger that has it (before it creates a child with the level), or correct the condition.`;
  if (levels.length === 0 && !isUnknown) throw noProof('record', advice);
  if (expectation === undefined) return;
  const { start, end } = searched;
  if (!(await source.isPossible(searched, records)))
    throw noProof(`record in the time range ${JSON.stringify({ start, end })}`, 'Correct "start" and "end".');
  const canMatch = async (asked: ResolvedExpectation | undefined, rows: readonly LevelFields[]) => {
    if (asked === undefined) return true;
    if (asked.kind === 'fields')
      return rows.some((row) => [...asked.patterns].every(([name, pattern]) => fits(row, name, pattern)));
    const events = rows.map((row) => quoteString(JSON.stringify(row))).join(', ');
    const queryString = `createEvents([${events}]) | parseJson() | ${asked.queryString}`;
    const options = { arguments: searched.arguments };
    return events !== '' && (await source.find({ kind: 'query', queryString }, options)).length > 0;
  };
  for (const [name, other] of Object.entries(OTHER_NAMES)) {
    const isOther =
      records.every((record) => record[name] === undefined) && records.some((each) => each[other]);
    // In an object, `message` is also "msg".
    const isEither = expectation.kind === 'fields' && name === 'message';
    if (isOther && !isEither && !(await canMatch(demandsOf(expectation, [name]), [{}])))
      throw noProof(
        `record with a field "${name}"`,
        other === '@timestamp' ? `Instead, ${TIME_ADVICE}.` : `The loggers write "${other}".`,
      );
  }
  if ((isUnknown && hasLevels) || (await canMatch(demandsOf(expectation, names), levels))) return;
  throw noProof(`record with ${expectationText(expectation)}`, advice);
}

function noProof(what: string, advice: string): LogOptionsException {
  return new LogOptionsException(`No ${what} can arrive, so this proves nothing. ${advice}`);
}

/** Whether records have arrived that no logger of the test has sent. */
function hasOthers(loggers: Context['loggers'], records: readonly LogEvent[]): boolean {
  const sent = loggers.reduce((sum, logger) => sum + logger.delivered(), 0);
  return records.length > sent;
}

function levelFields(record: LogEvent, names: readonly string[]): LevelFields {
  const own = names.filter((name) => record[name] !== undefined);
  return Object.fromEntries(own.map((name) => [name, String(record[name])]));
}

function distinct(levels: readonly LevelFields[]): LevelFields[] {
  return [...new Map(levels.map((fields) => [JSON.stringify(fields), fields])).values()];
}
