import { LogOptionsException } from '../../core/errors.ts';
import { quoteString } from '../../core/query-text.ts';
import {
  expectationText,
  expectedNames,
  levelCondition,
  type ResolvedExpectation,
} from '../expectations/expectation.ts';
import { fits } from '../expectations/field-pattern.ts';
import { levelsText } from '../loggers/capture-delivery.ts';
import { MESSAGE_NAMES } from '../report/nearest-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

const NOT_ATTACHED =
  'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.';

type Context = Pick<AssertionContext, 'loggers' | 'source'>;

/**
 * An assertion that finds no record needs evidence that one could have arrived: a logger or a record with the level that
 * it asks for. Another process may log any level.
 *
 * @throws LogOptionsException that says what to attach
 */
export async function requireEvidence(
  context: Context,
  { expectation, absent }: Partial<Verdict> = {},
): Promise<void> {
  if (absent && expectation) await requireUsedName(context, expectation);
  const loggers = context.loggers.map((logger) => logger.levels());
  const asked = absent && expectation && levelCondition(expectation);
  if (asked === undefined && loggers.some((levels) => levels?.length !== 0)) return;
  const records = await context.source.records({});
  if (loggers.length === 0 && records.length === 0) throw new LogOptionsException(NOT_ATTACHED);
  if (asked === undefined && records.length > 0) return;
  const arrived = [...new Set(records.flatMap(({ level }) => (level === undefined ? [] : String(level))))];
  const isUnknown = loggers.length === 0 || loggers.includes(undefined);
  const hasLevels = records.length === 0 || arrived.length > 0;
  const names = hasLevels ? loggers.flatMap((each) => each ?? []) : [];
  // The format of a logger may change the case.
  const spellings = [names, names.map((name) => name.toUpperCase())];
  const isUsed = (spelling: string[]): boolean => spelling.some((name) => arrived.includes(name));
  const own = arrived.length === 0 ? names : (spellings.find(isUsed) ?? []);
  const levels = [...own, ...arrived];
  if (asked !== undefined && hasLevels && isUnknown) return;
  if (asked !== undefined && (await isAmong(levels, asked, context, absent))) return;
  const what = asked === undefined ? 'record' : `record with ${expectationText(asked)}`;
  throw new LogOptionsException(
    `No ${what} can arrive, so this proves nothing. ${hasLevels ? levelsText(levels) : 'The records have no "level".'} Set the level of the logger in the test, capture the logger that has it (before it creates a child with the level), or correct the condition.`,
  );
}

/** @throws LogOptionsException if the expectation names the message as no record does, but as some loggers do. */
async function requireUsedName({ source }: Context, expectation: ResolvedExpectation): Promise<void> {
  const [name = '', both] = new Set(expectedNames(expectation).filter((each) => each in MESSAGE_NAMES));
  const other = MESSAGE_NAMES[name];
  const records = other === undefined || both !== undefined ? [] : await source.records({});
  if (records.some((record) => record[name] !== undefined) || records.every((record) => !record[other!]))
    return;
  throw new LogOptionsException(
    `No record with a field "${name}" can arrive, so this proves nothing. The loggers write "${other}".`,
  );
}

/** Whether one of these levels satisfies a condition on levels. */
async function isAmong(
  levels: readonly string[],
  asked: ResolvedExpectation,
  { source }: Context,
  { arguments: values }: Verdict['absent'] = {},
): Promise<boolean> {
  if (asked.kind === 'fields')
    return levels.some((level) => fits({ level }, 'level', asked.patterns.get('level')));
  const events = levels.map((level) => quoteString(JSON.stringify({ level }))).join(', ');
  const queryString = `createEvents([${events}]) | parseJson() | ${asked.queryString}`;
  return (
    events !== '' && (await source.find({ kind: 'query', queryString }, { arguments: values })).length > 0
  );
}
