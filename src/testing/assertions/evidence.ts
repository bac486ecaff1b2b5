import { LogOptionsException } from '../../core/errors.ts';
import { quoteString } from '../../core/query-text.ts';
import { isServiceField } from '../../core/records/logger-line.ts';
import type { LogEvent } from '../../index.ts';
import {
  demandsOf,
  expectationLine,
  namesIn,
  type ResolvedExpectation,
} from '../expectations/expectation.ts';
import { fits, nameIn } from '../expectations/field-pattern.ts';
import { namesBelow } from '../expectations/logged-fields.ts';
import { type KnownFields, levelsText, type TestedLogger } from '../loggers/capture-delivery.ts';
import { OTHER_NAMES, TAGS_ADVICE, TIME_ADVICE } from '../report/nearest-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

const NOT_ATTACHED =
  'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.';

/** Where records come from. Another process may log anything. */
interface Origin {
  readonly loggers: readonly TestedLogger[];
  readonly records: readonly LogEvent[];
  readonly hasOthers: boolean;
}

/** What records can contain: their values in some fields. */
interface Limit {
  readonly names: readonly string[];
  readonly rows: readonly KnownFields[];
  readonly advice: string;
  /** @default what is expected */
  readonly what?: string;
}

/**
 * The absence of a record proves something only if it could have been seen: by a capture that is still attached, in a time
 * range that can hold records, and with field names, tags and a level that loggers write or a record has.
 *
 * @throws LogOptionsException that says what is missing
 */
export async function requireEvidence(
  { loggers, source }: Pick<AssertionContext, 'loggers' | 'source'>,
  { expectation, searched = {} }: Partial<Verdict> = {},
): Promise<void> {
  const [lost] = loggers.flatMap((logger) => logger.lost() ?? []);
  if (lost !== undefined) throw noProof('record', lost);
  const records = await source.records({});
  if (loggers.length === 0 && records.length === 0) throw new LogOptionsException(NOT_ATTACHED);
  const sent = loggers.reduce((sum, logger) => sum + logger.delivered(), 0);
  const origin = { loggers, records, hasOthers: records.length > sent };
  const levels = levelLimit(origin);
  if (levels?.rows.length === 0) throw noProof('record', levels.advice);
  if (expectation === undefined) return;
  const { start, end } = searched;
  if (!(await source.isPossible(searched, records)))
    throw noProof(`record in the time range ${JSON.stringify({ start, end })}`, 'Correct "start" and "end".');
  const canHave = async ({ names, rows }: Limit): Promise<boolean> => {
    const asked = demandsOf(expectation, names);
    if (asked === undefined) return true;
    if (asked.kind === 'fields')
      return rows.some((row) => [...asked.patterns].every(([name, pattern]) => fits(row, name, pattern)));
    const events = rows.map((row) => quoteString(JSON.stringify(row))).join(', ');
    const queryString = `createEvents([${events}]) | parseJson() | ${asked.queryString}`;
    const options = { arguments: searched.arguments };
    return events !== '' && (await source.find({ kind: 'query', queryString }, options)).length > 0;
  };
  const limits = [...nameLimits(origin, expectation), tagLimit(origin, namesIn(expectation)), levels];
  for (const limit of limits)
    if (limit !== undefined && !(await canHave(limit)))
      throw noProof(`record with ${limit.what ?? expectationLine(expectation, source.mask)}`, limit.advice);
}

/** @returns `undefined` if any are possible */
function levelLimit({ loggers, records, hasOthers }: Origin): Limit | undefined {
  const arrived = new Set(records.map(({ level }) => String(level)));
  const fromLoggers = loggers.map((logger) => logger.levels(arrived));
  const known = fromLoggers.flatMap((levels) => levels ?? []);
  const names = [...new Set(['level', ...known.flatMap(Object.keys)])];
  const rows = distinct([...known, ...records.map((record) => fieldsOf(record, names))]);
  const hasLevels = records.length === 0 || rows.some((fields) => Object.keys(fields).length > 0);
  if (hasLevels && (hasOthers || fromLoggers.includes(undefined))) return undefined;
  const advice = `${hasLevels ? levelsText(rows) : 'The records have no "level".'} Set the level of the logger in the test, capture the logger that has it (before it creates a child with the level), or correct the condition.`;
  return { names, rows, advice };
}

/** @returns `undefined` if any are possible */
function tagLimit({ loggers, records, hasOthers }: Origin, asked: readonly string[]): Limit | undefined {
  const known = loggers.flatMap(({ tags }) => (tags === undefined ? [] : [tags]));
  if (hasOthers || known.length < loggers.length) return undefined;
  const names = asked.filter((name) => name.startsWith('#') && !isServiceField(name));
  const rows = distinct([...known, ...records.map((record) => fieldsOf(record, names))]);
  const shown = new Set(rows.flatMap((row) => Object.entries(row)).map((tag) => tag.join('=')));
  return { names, rows, advice: `The records have ${[...shown].join(', ') || 'no tags'}; ${TAGS_ADVICE}.` };
}

/** The asked fields that no record has, because it has others instead. */
function nameLimits({ loggers, records, hasOthers }: Origin, expectation: ResolvedExpectation): Limit[] {
  const keys = loggers.flatMap(({ messageKey }) => messageKey ?? []);
  const areKnown = !hasOthers && keys.length === loggers.length;
  const own = areKnown ? loggers.map(({ messageKey = '', tags }) => ({ [messageKey]: '', ...tags })) : [];
  const seen: LogEvent = Object.assign({}, ...records, ...own);
  return namesIn(expectation).flatMap((name) => {
    if (namesBelow(seen, expectation.kind === 'fields' ? nameIn(seen, name) : name).length > 0) return [];
    const usual = areKnown && /^(?:message|msg)$/.test(name) ? keys[0] : OTHER_NAMES[name];
    const isAlike = (known: string): boolean =>
      !hasOthers && !isServiceField(known) && letters(known) === letters(name);
    const other = Object.keys(seen).find((known) => known === usual || isAlike(known));
    if (other === undefined) return [];
    const advice = other === '@timestamp' ? `Instead, ${TIME_ADVICE}.` : `The loggers write "${other}".`;
    // Of similar names, both may be right: an expectation that any value meets is about the name.
    const rows = other === usual ? [{}] : [{}, { [name]: '\0' }];
    return [{ what: `a field "${name}"`, names: [name], rows, advice }];
  });
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function noProof(what: string, advice: string): LogOptionsException {
  return new LogOptionsException(`No ${what} can arrive, so this proves nothing. ${advice}`);
}

function fieldsOf(record: LogEvent, names: readonly string[]): KnownFields {
  const own = names.filter((name) => record[name] !== undefined);
  return Object.fromEntries(own.map((name) => [name, String(record[name])]));
}

function distinct(rows: readonly KnownFields[]): KnownFields[] {
  return [...new Map(rows.map((fields) => [JSON.stringify(fields), fields])).values()];
}
