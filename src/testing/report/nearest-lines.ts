import { countText } from '../../core/count-text.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { shortenText } from '../../core/shorten-text.ts';
import type { LogEvent } from '../../index.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { type FieldPattern, fits, nameIn, patternText } from '../expectations/field-pattern.ts';
import { loggedValue, namesBelow } from '../expectations/logged-fields.ts';
import { queryTerms } from '../expectations/query-term.ts';
import type { AssertionOptions, LogSource } from '../log-source.ts';
import { differenceText } from './difference.ts';
import { logLine, shownValue } from './log-line.ts';
import type { Paint } from './paint.ts';

/** Maximum number of lines to show. */
const SHOWN_LINES = 3;

const MAX_CONDITION_CHARACTERS = 100;

/** Names that loggers use for the message, the error and the level; and for the time, which a record has only as its timestamp. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...[['message', 'msg'] as const, ['msg', 'message'] as const, ['err', 'error'] as const],
  ...[['error', 'err'] as const, ['time', '@timestamp'] as const, ['timestamp', '@timestamp'] as const],
  ['level', 'severity'],
]);

export const TIME_ADVICE = 'the time is in "@timestamp": use the options "start" and "end"';

export const TAGS_ADVICE = 'tags are those of the transport, or of capture(logger, { tags })';

/** How far a record is from a condition that it fails, in thousandths: with another value, without the field, … */
const DIFFERENT = 1_000;
const ABSENT = 1_001;
/** … or with the expected value under another name, such as "msg" for "message". */
const MISNAMED = 501;

interface Condition {
  readonly text: string;
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
  const lost = expectation.kind === 'query' ? await lostStep(source, expectation.queryString, options) : '';
  const ranked = records.map((record) => {
    return { record, distance: conditions.reduce((sum, each) => sum + distanceOf(record, each), 0) };
  });
  ranked.sort((left, right) => left.distance - right.distance);
  return ranked.slice(0, SHOWN_LINES).flatMap(({ record, distance }) => {
    const shown = source.mask.record(record);
    const reasons = conditions.flatMap(({ text, pattern, namesIn, accepts }) => {
      if (accepts(record)) return [];
      const fields = namesIn(record).map((name) => fieldText(shown, name, paint, pattern));
      const isAlike =
        resembles(String(record['@rawstring']), text) ||
        namesIn(record).some((name) => resembles(text, String(record[name] ?? '')));
      const hint = isAlike ? ', but a string looks the same' : '';
      return `${paint.expected(text)}: ${fields.join(', ') || paint.wrong('not found')}${hint}`;
    });
    if (distance === 0)
      reasons.push(`passes the leading filters of the query, but not the steps after them${lost}`);
    return [`  ${logLine(shown)}`, ...reasons.map((reason) => `    ${paint.wrong('✗')} ${reason}`)];
  });
}

/** Whether a string contains a part only in other characters that look the same, such as no-break spaces. */
function resembles(whole: string, part: string): boolean {
  const [looks, wanted] = [whole, part].map((text) =>
    text
      .normalize('NFKC')
      .replaceAll(/\p{Pd}/gu, '-')
      .replaceAll(/[‘’“”"'\\]|\p{Cf}/gu, ''),
  );
  return !whole.includes(part) && looks!.includes(wanted!);
}

/** The first step that no record passes. */
async function lostStep(source: LogSource, query: string, options: AssertionOptions): Promise<string> {
  const queryString = `${query}\n| explain:asTable()`;
  const steps = await source.find({ kind: 'query', queryString }, options).catch(() => []);
  const lost = steps.find(({ eventsIn, eventsOut }) => Number(eventsIn) > 0 && Number(eventsOut) === 0);
  return lost === undefined ? '' : `: none passes ${source.mask.text(String(lost.step))}`;
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
      return { text, namesIn: () => fields, accepts };
    }),
  );
}

function distanceOf(record: LogEvent, { namesIn, accepts }: Condition): number {
  if (accepts(record)) return 0;
  const absent = namesIn(record).filter((name) => namesBelow(record, name).length === 0);
  const others = absent.map((name) => insteadOf(record, name));
  if (others.includes(undefined)) return ABSENT;
  return absent.length > 0 && others.every((other) => accepts(record, other)) ? MISNAMED : DIFFERENT;
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

/** The name that other loggers use for a field, or for the object that has it. */
export function otherName(name: string): string | undefined {
  const [head = ''] = name.split('.', 1);
  return OTHER_NAMES.get(head)?.concat(name.slice(head.length));
}

function insteadText(record: LogEvent, name: string): string {
  const other = insteadOf(record, name);
  if (other === undefined) return name.startsWith('#') ? `; ${TAGS_ADVICE}` : '';
  if (other === '@timestamp') return `; ${TIME_ADVICE}`;
  return other === otherName(name)
    ? `, but "${other}" is ${shownValue(String(record[other]))}`
    : `; did you mean "${other}"?`;
}

/** The field that a record has instead of a missing one. */
function insteadOf(record: LogEvent, name: string): string | undefined {
  if (record[name] !== undefined || namesBelow(record, name).length > 0) return undefined;
  const other = otherName(name);
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
