import { LogOptionsException } from '../../core/errors.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { quoteString } from '../../core/query-text.ts';
import type { LogEvent } from '../../index.ts';
import {
  demandsOf,
  expectationText,
  namesIn,
  type ResolvedExpectation,
} from '../expectations/expectation.ts';
import { fits } from '../expectations/field-pattern.ts';
import { namesBelow } from '../expectations/logged-fields.ts';
import { type KnownFields, levelsText } from '../loggers/capture-delivery.ts';
import { OTHER_NAMES, TAGS_ADVICE, TIME_ADVICE } from '../report/nearest-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

const NOT_ATTACHED =
  'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.';

type Context = Pick<AssertionContext, 'loggers' | 'source'>;

/** Fields whose possible values are known. */
interface Limit {
  readonly names: readonly string[];
  /** What a record can have in them. */
  readonly rows: readonly KnownFields[];
  readonly advice: string;
}

/**
 * The absence of a record proves something only if it could have been seen: by a capture that is still attached, in a time
 * range that can hold records, in fields that loggers write, and with a level and tags that they or a record have. Another
 * process may have any levels and tags.
 *
 * @throws LogOptionsException that says what is missing
 */
export async function requireEvidence(
  context: Context,
  { expectation, searched = {} }: Partial<Verdict> = {},
): Promise<void> {
  const { loggers, source } = context;
  const [lost] = loggers.flatMap((logger) => logger.lost() ?? []);
  if (lost !== undefined) throw noProof('record', lost);
  const records = await source.records({});
  if (loggers.length === 0 && records.length === 0) throw new LogOptionsException(NOT_ATTACHED);
  const levels = levelLimit(loggers, records);
  if (levels?.rows.length === 0) throw noProof('record', levels.advice);
  if (expectation === undefined) return;
  const { start, end } = searched;
  if (!(await source.isPossible(searched, records)))
    throw noProof(`record in the time range ${JSON.stringify({ start, end })}`, 'Correct "start" and "end".');
  const canHave = async ({ names, rows }: Omit<Limit, 'advice'>): Promise<boolean> => {
    const asked = demandsOf(expectation, names);
    if (asked === undefined) return true;
    if (asked.kind === 'fields')
      return rows.some((row) => [...asked.patterns].every(([name, pattern]) => fits(row, name, pattern)));
    const events = rows.map((row) => quoteString(JSON.stringify(row))).join(', ');
    const queryString = `createEvents([${events}]) | parseJson() | ${asked.queryString}`;
    const options = { arguments: searched.arguments };
    return events !== '' && (await source.find({ kind: 'query', queryString }, options)).length > 0;
  };
  const tags = tagLimit(context, records, namesIn(expectation));
  for (const name of namesIn(expectation)) {
    const other = writtenInstead(name, expectation, context, [...records, ...tags.rows]);
    if (other !== undefined && !(await canHave({ names: [name], rows: [{}] })))
      throw noProof(
        `record with a field "${name}"`,
        other === '@timestamp' ? `Instead, ${TIME_ADVICE}.` : `The loggers write "${other}".`,
      );
  }
  for (const limit of levels === undefined ? [tags] : [tags, levels])
    if (!(await canHave(limit))) throw noProof(`record with ${expectationText(expectation)}`, limit.advice);
}

/** @returns `undefined` if any are possible */
function levelLimit(loggers: Context['loggers'], records: readonly LogEvent[]): Limit | undefined {
  const arrived = new Set(records.map(({ level }) => String(level)));
  const fromLoggers = loggers.map((logger) => logger.levels(arrived));
  const known = fromLoggers.flatMap((levels) => levels ?? []);
  const names = [...new Set(['level', ...known.flatMap(Object.keys)])];
  const rows = distinct([...known, ...records.map((record) => fieldsOf(record, names))]);
  const hasLevels = records.length === 0 || rows.some((fields) => Object.keys(fields).length > 0);
  if (hasLevels && (fromLoggers.includes(undefined) || areOfOthers(records, loggers))) return undefined;
  const advice = `${hasLevels ? levelsText(rows) : 'The records have no "level".'} Set the level of the logger in the test, capture the logger that has it (before it creates a child with the level), or correct the condition.`;
  return { names, rows, advice };
}

/** All records have the repository of the test. The tags are known if all loggers are captured. */
function tagLimit(
  { loggers, source }: Context,
  records: readonly LogEvent[],
  asked: readonly string[],
): Limit {
  const repository = { '#repo': source.repository };
  const isKnown = !areOfOthers(records, loggers) && loggers.every((logger) => logger.tags !== undefined);
  // The parser of the service sets the type.
  const isTag = (name: string): boolean => name.startsWith('#') && (name !== '#type' || records.length > 0);
  const names = isKnown ? ['#repo', ...asked.filter(isTag)] : ['#repo'];
  const known = isKnown ? loggers.map(({ tags }) => ({ ...tags, ...repository })) : [repository];
  const rows = distinct([...known, ...records.map((record) => fieldsOf(record, names))]);
  const shown = [...new Set(rows.flatMap(Object.entries).map((tag) => tag.join('=')))].join(', ');
  return { names, rows, advice: `The records have ${shown}; ${TAGS_ADVICE}.` };
}

/** The field that loggers write instead of one that no record has. */
function writtenInstead(
  name: string,
  expectation: ResolvedExpectation,
  { loggers }: Context,
  records: readonly LogEvent[],
): string | undefined {
  if (records.some((record) => namesBelow(record, name).length > 0)) return undefined;
  const logged = [...new Set(records.flatMap(Object.keys))];
  const [root = ''] = /^[^.[]*/.exec(name) ?? [];
  const written = loggers.map((logger) => logger.names()[root]);
  const isKnown = written.length > 0 && !written.includes(undefined);
  const other = isKnown ? written[0] : OTHER_NAMES[name];
  // In an object, `message` is also "msg".
  if (other === 'msg' && name === 'message' && expectation.kind === 'fields') return undefined;
  if (other !== undefined && (isKnown || logged.includes(other))) return other;
  return logged.find((known) => known === `#${name}`) ?? misspelled(name, logged);
}

/** A logged name that differs only in its case or separators, or by a letter that is not at the start or end of a word. */
function misspelled(name: string, logged: readonly string[]): string | undefined {
  const ends = (text: string) => text.toLowerCase().replace(/(?<=\w)[a-z_](?=\w)/g, '');
  const letters = (text: string) => [...text.toLowerCase()].sort().join('');
  const isAlike = (other: string): boolean =>
    ends(other) === ends(name) && (other.length !== name.length || letters(other) === letters(name));
  return nearestName(name, logged.filter(isAlike), name.length < 5 ? 0 : 1);
}

function noProof(what: string, advice: string): LogOptionsException {
  return new LogOptionsException(`No ${what} can arrive, so this proves nothing. ${advice}`);
}

/** Whether records have arrived that no logger of the test has sent. */
function areOfOthers(records: readonly LogEvent[], loggers: Context['loggers']): boolean {
  const sent = loggers.reduce((sum, logger) => sum + logger.delivered(), 0);
  return records.length > sent;
}

function fieldsOf(record: LogEvent, names: readonly string[]): KnownFields {
  const own = names.filter((name) => record[name] !== undefined);
  return Object.fromEntries(own.map((name) => [name, String(record[name])]));
}

function distinct(rows: readonly KnownFields[]): KnownFields[] {
  return [...new Map(rows.map((fields) => [JSON.stringify(fields), fields])).values()];
}
