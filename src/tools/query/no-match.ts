import { countText } from '../../core/count-text.ts';
import { DAY_MS } from '../../core/epoch.ts';
import { escapeRegex } from '../../core/escape-regex.ts';
import { fieldNames } from '../../core/records/field-names.ts';
import { tryOr } from '../../core/try-or.ts';
import type { PollResult } from '../../index.ts';
import { groupKeys, parse, type StepNode, walk } from '../../language/index.ts';
import { fieldHints, levelField } from '../output/field-hints.ts';
import type { Row } from '../output/row-format.ts';
import { footerText, intervalText, type QueryOutcome } from './query-footer.ts';

/** Explains a result that is empty or has only an empty group: the number of events of the interval, the step that drops them, and unknown names and values. */
export async function explainNoMatch(empty: QueryOutcome, timeZone: string | undefined): Promise<string> {
  const { queryString, interval, result } = empty;
  const when = intervalText(interval, result, timeZone);
  const all = await allEvents(empty);
  if (all === undefined) return `no events match · ${when}`;
  const count = all.metadata.processedEvents;
  const isShort = all.metadata.queryStart > Date.now() - 7 * DAY_MS;
  if (count === 0) return `no events · ${when}${isShort ? ' · search further back with --since 7d' : ''}`;
  const texts = empty.hasEmptyGroup
    ? [footerText(empty, timeZone)]
    : [`no events match, of ${countText(count, 'event')} · ${when}`, ...(await lostStep(empty))];
  return [...texts, ...hintsFor(queryString, all.events, 'recent event')].join('\n');
}

/** The step that no event passes, unless the service can't explain the query. */
async function lostStep({ client, queryString, options }: QueryOutcome): Promise<string[]> {
  try {
    const explain = `${queryString}\n| explain:asTable()`;
    const steps = await client.query<Row>(explain, { ...options, onWarning: () => {} });
    const lost = steps.find(({ eventsIn, eventsOut }) => Number(eventsIn) > 0 && Number(eventsOut) === 0);
    return lost === undefined ? [] : [`${NO_EVENT_PASSES} ${lost.step}`];
  } catch {
    options.signal.throwIfAborted();
    return [];
  }
}

/** A line for each unknown field and each value in another case. @param what such as `line` */
export function hintsFor(queryString: string, rows: readonly Row[], what: string): string[] {
  return [
    ...fieldHints(fieldsOf(queryString), fieldNames(rows), what),
    ...caseHints(leadingSteps(queryString).filters, rows, what),
  ];
}

export const NO_EVENT_PASSES = 'no event passes this step:';

/** The first page of all events of the interval, or `undefined`: the result is complete without an explanation. */
async function allEvents({ client, options }: QueryOutcome): Promise<PollResult<Row> | undefined> {
  try {
    await using job = await client.createQueryJob<Row>('', { ...options, isLive: false });
    return await job.poll({ signal: options.signal });
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}

/** A line for each value that events have only in another case. */
function caseHints(filters: readonly StepNode[], rows: readonly Row[], what: string): string[] {
  const hints: string[] = [];
  const compare = (text: string, name?: string): void => {
    const field = name && levelField(name, fieldNames(rows));
    const values = rows.map((row) => String(row[field ?? '@rawstring'] ?? ''));
    if (values.some((value) => placeOf(text, value, field !== undefined) !== undefined)) return;
    const [found = ''] = values.flatMap((value) => {
      const place = placeOf(text.toLowerCase(), value.toLowerCase(), field !== undefined);
      return place === undefined
        ? []
        : value.slice(place.start, Math.min(place.end, place.start + MAX_SHOWN));
    });
    if (found === '') return;
    const body = text.split('*').map(escapeRegex);
    const pattern = field === undefined ? body.join('.*') : `^${body.join('.*')}$`;
    const written = `${field === undefined ? '' : `${field}=`}/${pattern}/i`;
    hints.push(
      `No ${what} has ${JSON.stringify(text)}, but ${JSON.stringify(found)}. To ignore case, write ${written}`,
    );
  };
  for (const step of filters)
    walk(step, {
      Not: () => false,
      Comparison: ({ field, operator, value }) =>
        void (operator === '=' && value.kind === 'Pattern' && compare(value.text, field.name)),
      FreeText: ({ value }) => void (value.kind === 'Pattern' && compare(value.text)),
    });
  return hints;
}

const MAX_SHOWN = 80;

/** Where a pattern with `*` is in a value, or whether it is all of it. In linear time, which a regular expression isn't. */
function placeOf(
  text: string,
  value: string,
  isWhole: boolean,
): { readonly start: number; readonly end: number } | undefined {
  const parts = text.split('*');
  let [start, end] = [0, 0];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const at = isWhole && isLast ? value.length - part.length : value.indexOf(part, end);
    if (at < end || (isWhole && index === 0 && at !== 0) || !value.startsWith(part, at)) return undefined;
    if (index === 0) start = at;
    end = at + part.length;
  }
  return { start, end };
}

/** The fields that a query compares before it does anything else, and those by which it then groups. */
export function fieldsOf(queryString: string): string[] {
  const names = new Set<string>();
  const { filters, next } = leadingSteps(queryString);
  for (const step of filters) walk(step, { Comparison: ({ field }) => void names.add(field.name) });
  return [...names, ...groupKeys(next)];
}

/** The steps before those that can create fields, and the first of these. */
function leadingSteps(queryString: string): { filters: readonly StepNode[]; next: StepNode | undefined } {
  // The service accepts more than this parser.
  const steps = tryOr([], () => parse(queryString).steps);
  const end = steps.findIndex(({ kind }) => !FILTERS.has(kind));
  return { filters: end === -1 ? steps : steps.slice(0, end), next: steps[end] };
}

const FILTERS = new Set(['And', 'Or', 'Not', 'Boolean', 'Comparison', 'FreeText']);
