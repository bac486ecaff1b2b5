import type { CallNode, PipelineNode, Span, StepNode } from '../ast.ts';
import { insteadOf } from '../functions/find-function.ts';
import { print } from '../printer.ts';
import { isQuery, parseTree } from '../syntax-tree.ts';
import type { Token } from '../token.ts';
import { walk } from '../walk.ts';
import { nameOf } from './call-arguments.ts';
import { type Finding, joinEdits, type RepairEdit, type TextEdit } from './diagnostic.ts';
import { maskPhrases, spansBetween } from './masked-text.ts';
import { filterOf, jointOf } from './mistakes/condition.ts';
import { type Dialect, KQL_WHERE, MIXED, PLAIN, WHERE, type WriteContext } from './mistakes/dialect.ts';
import { MISTAKES, TESTS } from './mistakes/index.ts';
import { isKql } from './mistakes/kql.ts';
import { type Mistake, possibleIn } from './mistakes/mistake.ts';
import { inSeconds, known } from './mistakes/times.ts';
import { EVENTS, orderAfter, type RowOrder, stepKeeping, UNKNOWN } from './row-order.ts';

/**
 * Finds phrases of other query languages in a valid query, where they only search for their words.
 *
 * @param known the tokens of the query, if they are known
 */
export function foreignPhrases(
  source: string,
  tree: PipelineNode,
  known?: readonly Token[],
): readonly Finding[] {
  const findings: Finding[] = [];
  let masked: string | undefined;
  walk(tree, {
    Pipeline(pipeline, parent) {
      const steps: StepPlace[] = [];
      for (const [index, step] of pipeline.steps.entries()) {
        const { kind, span } = step;
        const place: StepPlace = { span, node: step };
        steps.push(place);
        if (kind !== 'Call' && !FILTERS.includes(kind)) continue;
        masked ??= maskPhrases(source, known);
        const isFirst =
          index === 0 && !/\|\s*$/.test(masked.slice(Math.max(0, span.start - 100), span.start));
        const isAll = parent === undefined && index === 0;
        const phrase = phraseIn({ source, masked, steps, index, isFirst, isAll, ...outsideCalls(step) });
        if (phrase === undefined) continue;
        findings.push(phrase);
        place.written = phrase.fix;
        if (phrase.fix !== undefined) continue;
        place.after = UNKNOWN;
        // A phrase of the whole query includes the steps after it.
        if (phrase.span.end > span.end) break;
      }
    },
  });
  return findings;
}

/** The arguments of a valid call are no phrases. */
function outsideCalls(step: StepNode): Pick<PhrasePlace, 'isCall' | 'isHere'> {
  const isCall = step.kind === 'Call';
  const calls: Span[] = [];
  if (!isCall && step.kind !== 'Comparison' && step.kind !== 'FreeText')
    walk(step, { Call: ({ span }) => void calls.push(span) });
  const isInside = ({ start, end }: Span) => calls.some((call) => call.start < start && end < call.end);
  return { isCall, isHere: ({ span }) => !isInside(span) };
}

const FILTERS: readonly StepNode['kind'][] = ['And', 'Or', 'Not', 'FreeText', 'Comparison'];

/** The phrase of another language around an error in a query that can be parsed. */
export function foreignPhraseAt(source: string, place: Span): Finding | undefined {
  const { phrase } = readForeign(source, place);
  return phrase && { ...phrase, severity: 'error' };
}

/** What a query with a syntax error is in another language. */
export interface ForeignQuery {
  /** The phrase around the error. */
  readonly phrase?: Finding | undefined;
  /** What to write for the step with the error, and for all steps: one alone would hide which language the others are. */
  readonly edits: readonly RepairEdit[];
}

/** Reads a query with a syntax error as one of another language. */
export function readForeign(source: string, place: Span): ForeignQuery {
  const masked = maskPhrases(source);
  const spans = stepsOf(masked);
  // In an expression, "and" would be as wrong as "&&".
  const isHere = ({ code, span }: Finding) =>
    code !== 'and-mark' && span.end >= place.start && span.start <= place.end;
  const whole = { source, masked, index: 0, isFirst: true, isAll: true, isHere };
  const all = phraseIn({ ...whole, isWhole: true, steps: [{ span: { start: 0, end: masked.length } }] });
  if (all !== undefined) return { phrase: all, edits: all.fix === undefined ? [] : [all.fix] };
  const around = spans.findIndex(({ end }) => end >= place.start);
  const inner = stepAround(masked, place.start);
  const isNested = inner.start !== spans[around]?.start;
  const steps: StepPlace[] = [];
  let phrase: Finding | undefined;
  let own: RepairEdit | undefined;
  for (const [index, span] of (isNested ? [inner] : spans).entries()) {
    const step: StepPlace = { span };
    steps.push(step);
    const isError = isNested || index === around;
    const isFirst = index === 0 && !isError;
    const isAll = index === 0 && !isNested;
    const valid = isError ? undefined : stepNodes(step, source, span.start)[0];
    const where = isError ? { isHere } : valid && outsideCalls(valid);
    const found = phraseIn({ source, masked, steps, index, isFirst, isAll, ...where });
    step.written = found?.fix;
    if (found !== undefined && found.fix === undefined) step.after = UNKNOWN;
    if (!isError) continue;
    phrase = found;
    own = step.written ??= found === undefined ? filterAt(source, masked, place) : undefined;
    if (own === undefined) return { phrase, edits: [] };
  }
  const edits = steps.flatMap(({ written }) => written ?? []);
  const { leavesNoWords } = own ?? {};
  return { phrase, edits: own === undefined ? [] : [{ ...joinEdits(source, edits), leavesNoWords }, own] };
}

/** The filter around a syntax error. */
function filterAt(source: string, masked: string, place: Span): TextEdit | undefined {
  const span = conditionAround(masked, place, { start: 0, end: source.length });
  const isJoined = /^(?:and|or)$/i.test(source.slice(place.start, place.end));
  return filterEdit(source, span, NO_CONTEXT, isJoined);
}

/** The steps of a query: what is between `|` outside of brackets. */
function stepsOf(masked: string): readonly Span[] {
  return spansBetween(masked, /(?<!\|)\|(?!\|)/);
}

/** The text between two `|`, or between other marks around steps. */
function stepAround(masked: string, offset: number): Span {
  const before = masked.slice(0, offset);
  const start = Math.max(before.lastIndexOf('|'), before.lastIndexOf(';'), before.lastIndexOf('{')) + 1;
  let depth = 0;
  for (let end = start; end < masked.length; end += 1) {
    const mark = masked[end]!;
    if (mark === '{') depth += 1;
    if (mark === '}') depth -= 1;
    if (depth < 0 || (depth === 0 && end >= offset && /[|;]/.test(mark))) return { start, end };
  }
  return { start, end: masked.length };
}

/** Phrases are short, and the search must be bounded. */
const MAX_STEP_LENGTH = 1000;
const MAX_QUERY_LENGTH = 10_000;
/** A phrase that is too long for a message. */
const LONG = /^(?=.{100})(.{1,80})\s.*$/;

/** A step, and what is written in its place. */
interface StepPlace {
  readonly span: Span;
  readonly node?: StepNode;
  written?: RepairEdit | undefined;
  /** What the rows after it are, if that was asked for. */
  after?: RowOrder;
}

interface PhrasePlace {
  readonly source: string;
  readonly masked: string;
  /** The steps of the pipeline up to this one. */
  readonly steps: readonly StepPlace[];
  readonly index: number;
  /** Whether no `|` is before the step. */
  readonly isFirst: boolean;
  /** Whether the step starts the query. Then phrases of a whole query may start there. */
  readonly isAll: boolean;
  /** Whether only phrases of a whole query count. */
  readonly isWhole?: boolean;
  /** Whether the step is a valid call. */
  readonly isCall?: boolean;
  readonly isHere?: (phrase: Finding) => boolean;
}

/** Phrases with a condition: what is wrong in it says more. */
const CONDITIONS: readonly string[] = ['where', 'spl-search', 'sql-having', 'insights-filter'];

const CALLS = MISTAKES.filter(({ place }) => place === 'call');
const QUERIES = MISTAKES.filter(({ place }) => place === 'query');
const STEPS = MISTAKES.filter(({ place }) => place !== 'query');
const FIRST_STEPS = STEPS.filter(({ place }) => place !== 'pipe');

function phraseIn(place: PhrasePlace): Finding | undefined {
  const { masked, isAll, isFirst, isCall = false, steps, index } = place;
  const { start, end } = steps[index]!.span;
  const ofSteps = isCall ? CALLS : isFirst ? FIRST_STEPS : STEPS;
  const own = possibleIn(masked.slice(start, end), ofSteps);
  const all = isAll && !isCall ? possibleIn(masked.slice(start), QUERIES) : [];
  const possible = [...all, ...own].sort((a, b) => MISTAKES.indexOf(a) - MISTAKES.indexOf(b));
  const isSingle = place.isWhole !== true || stepsOf(masked).length === 1;
  let condition: Finding | undefined;
  for (const mistake of possible) {
    const isOther =
      place.isWhole === true && mistake.place !== 'query' && !(isSingle && mistake.place === 'step');
    if (condition === undefined ? isOther : mistake.place !== 'test') continue;
    const phrase = phraseOf(mistake, place);
    if (phrase === undefined || place.isHere?.(phrase) === false) continue;
    if (condition !== undefined) return { ...phrase, fix: undefined };
    if (phrase.fix !== undefined || !CONDITIONS.includes(phrase.code)) return phrase;
    condition = phrase;
  }
  return condition;
}

function phraseOf(mistake: Mistake, place: PhrasePlace): Finding | undefined {
  const { source, masked, steps, index } = place;
  const step = steps[index]!.span;
  const end = mistake.place === 'query' ? masked.length : step.end;
  const untrimmed = masked.slice(step.start, end).trimStart();
  const start = end - untrimmed.length;
  const text = untrimmed.trimEnd();
  if (text.length > (mistake.place === 'query' ? MAX_QUERY_LENGTH : MAX_STEP_LENGTH)) return undefined;
  const match = mistake.pattern.exec(text);
  if (match?.indices === undefined) return undefined;
  const [phrase = '', ...groups] = match.indices.map(
    (range) => range && source.slice(start + range[0], start + range[1]),
  );
  const span = { start: start + match.index, end: start + match.index + phrase.length };
  const context = contextAt(place, text);
  const { before = '' } = context;
  const read = groups.map((group) => group && withLengths(group, source.slice(0, start)));
  const written = mistake.write(read as string[], context)?.trim();
  if (written === undefined) return undefined;
  const isInside = match.index > 0 || match[0].length < text.length;
  // `level=error LIMIT 10`, but not `rate limit 10`.
  const isClause = /[=<>]\s*\S+\s*$/.test(text.slice(0, match.index)) || /^[A-Z]{2}/.test(phrase);
  if (mistake.place === 'clause' && isInside && !isClause) return undefined;
  const isFilter = mistake.place === 'test' || mistake.place === 'mark';
  const joined = mistake.place === 'clause' && isInside ? `| ${written}` : written;
  const fix = isFilter
    ? filterEdit(source, conditionAround(masked, span, steps[index]!.span), context)
    : written === ''
      ? undefined
      : {
          span: { start: context.start ?? span.start, end: span.end },
          text: joined,
          ...(mistake.isStrict && {
            leavesNoWords: mistake.place === 'query' ? ('inside' as const) : ('beside' as const),
          }),
        };
  const words = mistake.words.replace(/\$(\d)/g, (_, group) => known(groups[group - 1] ?? 'field'));
  const [reason = ''] = /: the repository .*(?=\.)/.exec(words) ?? [];
  return {
    code: mistake.code,
    severity: 'warning',
    message: `${JSON.stringify(phrase.trim().replace(/\s+/g, ' ').replace(LONG, '$1 …'))} is ${mistake.language}.`,
    span,
    propose: (proposed) =>
      `Write ${proposed} instead${reason}.${notesOn(proposed, mistake.language, before)}`,
    words:
      context.failed === undefined || isFilter
        ? words
        : `There is no exact equivalent of ${JSON.stringify(context.failed)}. ${insteadOf(context.failed) ?? words}`,
    isPhrase: true,
    fix,
  };
}

/** How the rows of what is written can differ. */
function notesOn(written: string, language: string, before: string): string {
  const isSpl = language === 'SPL';
  const notes = {
    'Results of few values can differ.': /percentile\(|stdDev\(/.test(written),
    'A sum of no numbers is 0.': written.includes('sum(') && language !== 'KQL',
    'An absent value counts as a string, not as a number.': written.includes('default(value="",'),
    'An absent value keeps the old one.':
      /QL|SPL/.test(language) && (keepsOld(written, before) || (!isSpl && /\(\?<\w+>/.test(written))),
    'Times are in milliseconds here.': isSpl && /\(@timestamp(?! [-/])/.test(written),
    'Values are not sorted.': isSpl && /^(?!.*type=string).*collect\(/.test(written),
  };
  return Object.entries(notes).reduce((text, [note, applies]) => (applies ? `${text} ${note}` : text), '');
}

/** Steps after which a row has no other fields than those they name. */
const CLOSED = /(?:^|\|)\s*(?:groupBy|stats|summarize|timechart|top|rare|table|select|project|bucket)\b/i;
/** What is no field in an expression: strings, filters, calls, names of arguments, and numbers. */
const NO_FIELD = /"[^"]*"|\{.*?\}|[\w:]+\(|\w+=(?:true|false)?|@timestamp|\b\d[\w.]*/g;

/** Whether a field that an event has may keep its value, because the one to assign needs another field, which is absent. */
function keepsOld(written: string, before: string): boolean {
  const masked = maskPhrases(written);
  return [...masked.matchAll(/(\S+) := ([^|;]*)/g)].some(({ 1: name = '', 2: value = '', index }) => {
    const earlier = before + masked.slice(0, index);
    const isNew = CLOSED.test(earlier) && !earlier.split(/[^\w.@#]+/).includes(name);
    const names = value.replace(NO_FIELD, ' ').match(/[A-Za-z_@#][\w.@#]*/g) ?? [];
    return !isNew && !earlier.includes('default(') && names.some((one) => one !== name);
  });
}

/**
 * An edit that writes a condition as this language does, in braces as an argument; `undefined` if it can't be or need not
 * be written anew. In `test()`, a filter that is no expression replaces the call.
 */
function filterEdit(
  source: string,
  span: Span,
  context: WriteContext,
  isMoved = false,
): TextEdit | undefined {
  if (span.end - span.start > MAX_STEP_LENGTH) return undefined;
  const text = source.slice(span.start, span.end);
  const place = { start: span.start + text.search(/\S|$/), end: span.start + text.trimEnd().length };
  const before = source.slice(0, place.start);
  const isArgument = /(?:\w\(|,|\w=)\s*$/.test(before);
  const [call] = /\btest\(\s*$/i.exec(before) ?? [];
  const isExact = call !== undefined && !/=\s*\//.test(text);
  const dialect = isExact ? WHERE : isKql(source) ? MIXED : PLAIN;
  const filter = filterOf(text, dialect, TESTS, context)?.trim();
  if (filter === undefined || (filter === text.trim() && !(isMoved && isArgument))) return undefined;
  const [, expression] = (isArgument && /^test\(((?:[^()]|\([^()]*\))*)\)$/.exec(filter)) || [];
  if (!isArgument || expression !== undefined) return { span: place, text: expression ?? filter };
  if (call === undefined) return { span: place, text: `{ ${filter} }` };
  const end = place.end + source.slice(place.end).search(/\)|$/) + 1;
  return { span: { start: place.start - call.length, end }, text: jointOf(filter) ? `(${filter})` : filter };
}

/** The filter around a place: up to the ends of the step, of the argument or of the block. */
function conditionAround(masked: string, place: Span, { start: first, end: last }: Span): Span {
  let start = place.start;
  for (let depth = 0; start > first; start -= 1) {
    const mark = masked[start - 1]!;
    if (/[)\]}]/.test(mark)) depth += 1;
    const isCall =
      mark === '(' &&
      /\w(?<!\b(?:and|or|not|in|where))$/i.test(masked.slice(Math.max(0, start - 12), start - 1));
    if (depth === 0 && (/[{[;|,]/.test(mark) || isCall)) break;
    if (/[([{]/.test(mark)) depth = Math.max(0, depth - 1);
  }
  let end = start;
  for (let depth = 0; end < last; end += 1) {
    const mark = masked[end]!;
    if (/[([{]/.test(mark)) depth += 1;
    if (/[)\]}]/.test(mark)) depth -= 1;
    const isEnd = depth === 0 && /[;|,]/.test(mark) && masked[end + 1] !== '|' && masked[end - 1] !== '|';
    if (end >= place.end && (depth < 0 || isEnd)) break;
  }
  return { start, end };
}

interface PlacedContext extends WriteContext {
  /** Where the text starts that is replaced, if that is before the phrase. */
  start?: number;
  /** The part of the phrase that has no equivalent. */
  failed?: string;
}

const NO_CONTEXT: WriteContext = { filter: () => '', rows: () => '' };

function contextAt(place: PhrasePlace, phrase: string): PlacedContext {
  const { source, masked, steps, index, isFirst } = place;
  const before = source.slice(0, steps[index]!.span.start);
  const context: PlacedContext = {
    isFirst,
    phrase,
    before,
    rest: masked.slice(steps[index]!.span.end),
    fail(part: string) {
      context.failed ??= part;
    },
    filter(condition: string, dialect: Dialect) {
      const own = dialect === WHERE && isKql(masked) ? KQL_WHERE : dialect;
      const hasTimes = own === WHERE && inSeconds(condition, before) !== inSeconds(condition);
      if (hasTimes) context.fail?.(condition);
      if (hasTimes || hasSeveralValues(condition, before)) return '';
      return filterOf(condition, own, TESTS, context) ?? '';
    },
    rows(kept, count, areNullsLast, sort) {
      const order = {
        ...orderBefore(source, steps, index),
        ...(sort && { sort: parseTree(sort).steps[0] as CallNode }),
      };
      const previous = steps[index - 1];
      const call = previous && onlyCall(previous, source);
      const text = stepKeeping(kept, count, order, areNullsLast);
      const isSorted = nameOf(call) === 'sort' && previous?.after?.sort === order.sort;
      // Rows that have lost their time are kept before that.
      const earlier =
        text === undefined && nameOf(call) === 'select'
          ? stepKeeping(kept, count, orderBefore(source, steps, index - 1), areNullsLast)
          : undefined;
      if (isSorted || earlier !== undefined)
        context.start =
          previous!.written?.span.start ??
          previous!.span.start + masked.slice(previous!.span.start).search(/\S|$/);
      return earlier === undefined ? (text ?? '') : `${earlier} | ${print(call!)}`;
    },
  };
  return context;
}

const COLLECTED =
  /\b(?:values|make_set|collect)\(\s*([\w.@#]+)[^()]*\)(?:\s+as\s+(\w+)|[\s)}]*\|\s*rename\([\w.@#]+, as=(\w+)\))?/gi;

/** Of any other field, the number of values is 1 in SPL. */
function withLengths(text: string, before: string): string {
  return text.replace(/\bmvcount(?=\((\w+)\))/g, (found, name) =>
    hasSeveralValues(name, before) ? 'array_length' : found,
  );
}

/** Whether a condition has a field with all values of a group: elsewhere, one of them is enough. */
function hasSeveralValues(condition: string, before: string): boolean {
  const words = condition.replace(/array_length\(\w+\)/g, '').split(/[^\w.@#]+/);
  return [...before.matchAll(COLLECTED)].some(([, field, as, name = as ?? field]) => words.includes(name!));
}

/** What the rows before a step are, when the steps before are written as proposed. */
function orderBefore(source: string, steps: readonly StepPlace[], index: number): RowOrder {
  let order = EVENTS;
  for (const step of steps.slice(0, index)) {
    step.after ??= stepNodes(step, source).reduce<RowOrder>(
      (before, node) => orderAfter(node, before),
      order,
    );
    order = step.after;
  }
  return order;
}

function stepNodes({ span, node, written }: StepPlace, source: string, offset = 0): readonly StepNode[] {
  if (node !== undefined && written === undefined) return [node];
  const { start, end } = span;
  const isInside = written !== undefined && written.span.start >= start;
  const before = isInside ? source.slice(start, written.span.start) : '';
  const after = isInside ? source.slice(written.span.end, end) : '';
  const text = written === undefined ? source.slice(start, end) : before + written.text + after;
  const query = ' '.repeat(offset) + text.replace(/^\s*\|/, '');
  return isQuery(query) ? parseTree(query).steps : [];
}

/** The call that is all of a step. */
function onlyCall(step: StepPlace, source: string): CallNode | undefined {
  const [node, ...others] = stepNodes(step, source);
  return node?.kind === 'Call' && others.length === 0 ? node : undefined;
}
