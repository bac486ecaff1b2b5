import { LogOptionsException } from '../../core/errors.ts';
import { misspelledField } from '../../core/nearest-name.ts';
import { quoteField, quoteString } from '../../core/query-text.ts';
import { isServiceField, LEVEL_LABELS } from '../../core/records/logger-line.ts';
import type { LogEvent } from '../../index.ts';
import { parse, walk } from '../../language/index.ts';
import {
  demandsOf,
  expectationLine,
  expectationText,
  namesIn,
  type ResolvedExpectation,
} from '../expectations/expectation.ts';
import { fits, nameIn, otherName } from '../expectations/field-pattern.ts';
import { namesBelow } from '../expectations/logged-fields.ts';
import { readsInstead } from '../expectations/query-term.ts';
import { type KnownFields, levelsText, lost, type TestedLogger } from '../loggers/capture-delivery.ts';
import { nearMiss, TAGS_ADVICE, TIME_ADVICE } from '../report/nearest-lines.ts';
import { NO_PAINT } from '../report/paint.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

const NOT_ATTACHED =
  'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.';

const STRANGER =
  'Another pino logger has logged, but the captured ones have not. Check that the code uses this instance, and logs after capture(). If it must log nothing at all, use not.toHaveLogged("*").';

const NO_RECORD =
  'No record was captured, so this proves nothing: capture the logger that the tested code uses, and let it log.';

/** `undefined`, `NaN` and objects in strings. */
const LOST_VALUE = /^(?:undefined|NaN|\[object \w+\])$/;

/** Values of a severity that are levels; those of an incident may be others. */
const LEVEL_VALUE = new RegExp(`\\b(?:${LEVEL_LABELS.join('|')}|[1-6]0\\b)`, 'i');

/** Fields of most loggers, whether or not a record of the test has them. */
const USUAL_NAMES = ['level', 'message', 'err.message', 'err.stack', 'error.message', 'error.stack'];

/** Where records come from, with the levels of each logger. Another process may log anything. */
interface Origin {
  readonly loggers: readonly TestedLogger[];
  readonly records: readonly LogEvent[];
  readonly levels: readonly (readonly KnownFields[] | undefined)[];
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
  const [reason] = lost(loggers);
  if (reason !== undefined) throw noProof('record', reason);
  const records = await source.records({});
  if (loggers.length === 0 && records.length === 0) throw new LogOptionsException(NOT_ATTACHED);
  const sent = loggers.reduce((sum, logger) => sum + logger.delivery.delivered, 0);
  const arrived = new Set(records.map(({ level }) => String(level)));
  const levels = loggers.map((logger) => logger.levels(arrived));
  const origin = { loggers, records, levels, hasOthers: records.length > sent };
  const ofLevels = levelLimit(origin);
  if (ofLevels?.rows.length === 0) throw noProof('record', ofLevels.advice);
  if (expectation === undefined) return;
  const isStranger = records.length === 0 && loggers.some(({ delivery }) => delivery.hasStranger);
  if (isStranger && expectationText(expectation) !== '*') throw noProof('record', STRANGER);
  refuseLostValue(expectation);
  const { start, end } = searched;
  if (!(await source.isPossible(searched, records)))
    throw noProof(`record in the time range ${JSON.stringify({ start, end })}`, 'Correct "start" and "end".');
  const canHave = async ({ names, rows }: Limit): Promise<boolean> => {
    const asked = demandsOf(expectation, names);
    if (asked === undefined || rows.length === 0) return rows.length > 0;
    if (asked.kind === 'fields')
      return rows.some((row) => [...asked.patterns].every(([name, pattern]) => fits(row, name, pattern)));
    const events = rows.map((row) => quoteString(JSON.stringify(row))).join(', ');
    const queryString = `createEvents([${events}]) | parseJson() | ${asked.queryString}`;
    const options = { arguments: searched.arguments };
    return (await source.find({ kind: 'query', queryString }, options)).length > 0;
  };
  const limits = [...nameLimits(origin, expectation), tagLimit(origin, namesIn(expectation)), ofLevels];
  for (const limit of limits)
    if (limit !== undefined && !(await canHave(limit)))
      throw noProof(`record with ${limit.what ?? expectationLine(expectation, source.mask)}`, limit.advice);
  const near = await nearMiss({ source, paint: NO_PAINT }, expectation, searched);
  const head = 'This proves nothing, because a record almost matches:';
  if (near.length > 0) throw new LogOptionsException([head, ...near].join('\n'));
}

/** All records. @throws LogOptionsException if there are none, and none are missing: a rule for each of them proves nothing */
export async function requireRecords(
  context: Pick<AssertionContext, 'loggers' | 'source'>,
): Promise<LogEvent[]> {
  const records = await context.source.records({});
  if (records.length > 0 || context.source.missing.length > 0) return records;
  await requireEvidence(context);
  throw new LogOptionsException(NO_RECORD);
}

/** @throws LogOptionsException for a value that a missing variable becomes, alone or in a string */
function refuseLostValue(expectation: ResolvedExpectation): void {
  const values: [string, unknown][] = expectation.kind === 'fields' ? [...expectation.patterns] : [];
  if (expectation.kind === 'query')
    walk(parse(expectation.queryString), {
      Comparison({ field, operator, value }) {
        if (operator === '=' && value.kind === 'Pattern') values.push([field.name, value.text]);
      },
    });
  const [name, value] =
    values.find(([, each]) => typeof each !== 'object' && LOST_VALUE.test(String(each))) ?? [];
  if (name === undefined) return;
  throw new LogOptionsException(
    `"${name}" is ${value}, probably a missing variable, so this proves nothing. If you mean that text, use a RegExp such as /^undefined$/; for an absent field, { "${name}": {} } or the query ${quoteField(name)}!=*`,
  );
}

/** No rows if a logger is silent, which others don't make up for. @returns `undefined` if any are possible */
function levelLimit({ loggers, records, levels, hasOthers }: Origin): Limit | undefined {
  const known = levels.flatMap((each) => each ?? []);
  const names = [...new Set(['level', ...known.flatMap(Object.keys)])];
  const rows = rowsOf(known, records, names);
  const hasLevels = records.length === 0 || rows.some((fields) => Object.keys(fields).length > 0);
  const isSilent = loggers.some((each, at) => levels[at]?.length === 0 && each.delivery.delivered === 0);
  if (hasLevels && !isSilent && (hasOthers || levels.includes(undefined))) return undefined;
  const others = levelsText(rows) + (isSilent && rows.length > 0 ? ' One logs nothing.' : '');
  const advice = `${hasLevels ? others : 'The records have no "level".'} Set the level of the logger in the test, capture the logger that has it (before it creates a child with the level), or correct the condition.`;
  return { names, rows: isSilent ? [] : rows, advice };
}

/** @returns `undefined` if any are possible */
function tagLimit({ loggers, records, hasOthers }: Origin, asked: readonly string[]): Limit | undefined {
  const known = loggers.flatMap(({ tags }) => (tags === undefined ? [] : [tags]));
  if (hasOthers || known.length < loggers.length) return undefined;
  const names = asked.filter((name) => name.startsWith('#') && !isServiceField(name));
  const rows = rowsOf(known, records, names);
  const shown = new Set(rows.flatMap((row) => Object.entries(row)).map((tag) => tag.join('=')));
  return { names, rows, advice: `The records have ${[...shown].join(', ') || 'no tags'}; ${TAGS_ADVICE}.` };
}

/** The asked fields that no record has, because it has others instead. */
function nameLimits({ loggers, records, levels, hasOthers }: Origin, query: ResolvedExpectation): Limit[] {
  const areKnown = !hasOthers && loggers.every(({ messageKey }) => messageKey !== undefined);
  const own = areKnown ? loggers.map(({ messageKey = '', tags }) => ({ [messageKey]: '', ...tags })) : [];
  const seen: LogEvent = Object.assign({}, ...levels.flatMap((each) => each ?? []), ...records, ...own);
  return namesIn(query).flatMap((name) => {
    const mayBeObject = query.kind === 'fields' && /^[ou]/.test(typeof query.patterns.get(name));
    const field = query.kind === 'fields' ? nameIn(seen, name) : name;
    if (field in seen || (mayBeObject && namesBelow(seen, field).length > 0)) return [];
    const usual = otherName(name, seen);
    const asked = expectationText(demandsOf(query, [name]) ?? query);
    if (usual !== undefined && name === 'severity' && !LEVEL_VALUE.test(asked)) return [];
    const known = hasOthers ? [] : Object.keys(seen).filter((each) => !isServiceField(each));
    // `res.statusCode` for `statusCode`, `ids[0]` for `ids`, and `user.id` for `user`.
    const isNested = (each: string) => `.${each.replace(/\[\d+\]/g, '')}.`.includes(`.${name}.`);
    const nested = USUAL_NAMES.includes(name) ? undefined : known.find(isNested);
    const letters = (each: string) => each.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const similar = known.find((each) => letters(each) === letters(name));
    const written = usual ?? nested ?? similar;
    const usualName = name.replace(/s$/, '').replace(/^(err|error)\.msg$/, '$1.message');
    const misspelled = () =>
      misspelledField(name, [...known, ...USUAL_NAMES]) ?? USUAL_NAMES.find((each) => each === usualName);
    const isSure = hasOthers || USUAL_NAMES.includes(name);
    const other = written ?? (isSure ? undefined : misspelled());
    if (other === undefined) return [];
    const wrote = written === undefined ? `Did you mean "${other}"?` : `The loggers write "${other}".`;
    const advice = other === '@timestamp' ? `Instead, ${TIME_ADVICE}.` : wrote;
    // Of similar names, both may be right: an expectation that any value meets is about the name.
    const rows = other === usual || other === nested ? [{}] : [{}, { [name]: '\0' }];
    const isRead = query.kind === 'query' && readsInstead(query.queryString, name, [other]);
    return [{ what: `a field "${name}"`, names: [name], rows: isRead ? [] : rows, advice }];
  });
}

function noProof(what: string, advice: string): LogOptionsException {
  return new LogOptionsException(`No ${what} can arrive, so this proves nothing. ${advice}`);
}

/** The distinct values of these fields that loggers write or records have. */
function rowsOf(known: KnownFields[], records: readonly LogEvent[], names: string[]): KnownFields[] {
  const arrived = records.map((record): KnownFields => {
    const own = names.filter((name) => record[name] !== undefined);
    return Object.fromEntries(own.map((name) => [name, String(record[name])]));
  });
  return [...new Map([...known, ...arrived].map((fields) => [JSON.stringify(fields), fields])).values()];
}
