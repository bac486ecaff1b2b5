import type { PipelineNode, Span, StepNode } from '../ast.ts';
import { isQuery, parseTree } from '../syntax-tree.ts';
import { walk } from '../walk.ts';
import type { Finding } from './diagnostic.ts';
import { maskText } from './masked-text.ts';
import { MISTAKES } from './mistakes/index.ts';
import type { Mistake } from './mistakes/mistake.ts';

/** Finds phrases of other query languages in a valid query, where they only search for their words. */
export function foreignPhrases(source: string, tree: PipelineNode): readonly Finding[] {
  const found: Finding[] = [];
  let masked: string | undefined;
  walk(tree, {
    Pipeline({ steps }, parent) {
      for (const [index, step] of steps.entries()) {
        if (!FILTERS.includes(step.kind)) continue;
        const words = wordsOf(step);
        const marks = words.flatMap((word) => markOf(word, source) ?? []);
        // The last word of a quotation has a mark, too.
        found.push(...marks.filter(({ span }, place) => marks[place - 1]?.span.end !== span.end));
        if (marks.length > 0) continue;
        masked ??= maskPhrases(source);
        const isFirst = index === 0 && !/\|\s*$/.test(masked.slice(0, step.span.start));
        const end = parent === undefined ? masked.length : steps.at(-1)!.span.end;
        const place = {
          source,
          masked,
          step: step.span,
          end,
          isFirst,
          isAll: parent === undefined && index === 0,
        };
        const phrase = phraseIn(place);
        if (phrase !== undefined) found.push(phrase);
      }
    },
  });
  return found;
}

const FILTERS: readonly StepNode['kind'][] = ['And', 'Or', 'Not', 'FreeText', 'Comparison'];

/** The phrase of another language around an error in a query. */
export function foreignPhraseAt(source: string, place: Span): Finding | undefined {
  const masked = maskPhrases(source);
  const step = stepAround(masked, place.start);
  const isFirst = masked.slice(0, step.start).trim() === '';
  const whole = { start: 0, end: masked.length };
  const isHere = ({ code, span }: Finding) =>
    // In an expression, "and" would be as wrong as "&&".
    code !== 'and-mark' && span.end >= place.start && span.start <= place.end;
  const around = { source, masked, end: masked.length, isHere };
  const phrase =
    phraseIn({ ...around, step: whole, isFirst: true, isAll: true, only: 'query' }) ??
    phraseIn({
      ...around,
      step: stepAround(masked, step.start - 1),
      isFirst: false,
      isAll: false,
      only: 'rest',
    }) ??
    phraseIn({ ...around, step, isFirst: false, isAll: isFirst });
  return phrase && { ...phrase, severity: 'error' };
}

/** Single quotes are quotes in other languages. */
function maskPhrases(source: string): string {
  return maskText(source).replace(/'[^'"\n|]*'/g, (text) => `'${' '.repeat(text.length - 2)}'`);
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

interface PhrasePlace {
  readonly source: string;
  readonly masked: string;
  readonly step: Span;
  /** The end of the last step. */
  readonly end: number;
  /** Whether no `|` is before the step. */
  readonly isFirst: boolean;
  /** Whether the step starts the query. */
  readonly isAll: boolean;
  readonly isHere?: (phrase: Finding) => boolean;
  readonly only?: Mistake['place'];
}

function phraseIn(place: PhrasePlace): Finding | undefined {
  for (const mistake of MISTAKES) {
    if (place.only !== undefined && mistake.place !== place.only) continue;
    if (mistake.place === 'pipe' && place.isFirst) continue;
    if (mistake.place === 'query' && !place.isAll) continue;
    const phrase = phraseOf(mistake, place);
    if (phrase !== undefined && place.isHere?.(phrase) !== false) return phrase;
  }
  return undefined;
}

function phraseOf(mistake: Mistake, { source, masked, step, end }: PhrasePlace): Finding | undefined {
  const isLong = mistake.place === 'rest' || mistake.place === 'query';
  const text = masked.slice(step.start, isLong ? end : step.end).trimStart();
  const start = (isLong ? end : step.end) - text.length;
  if (text.length > MAX_STEP_LENGTH) return undefined;
  const match = mistake.pattern.exec(text.trimEnd());
  if (match?.indices === undefined) return undefined;
  const [phrase = '', ...groups] = match.indices.map(
    (range) => range && source.slice(start + range[0], start + range[1]),
  );
  const written = mistake.write(...(groups as string[]))?.trim();
  if (written === undefined) return undefined;
  const isInside = match.index > 0 || match[0].length < text.trimEnd().length;
  if (mistake.place === 'clause' && isInside && !isClauseAfter(text.slice(0, match.index), phrase))
    return undefined;
  const fix = isInside ? joinedTo(mistake, written) : written;
  const span = { start: start + match.index, end: start + match.index + phrase.length };
  const message = `${JSON.stringify(phrase.trim())} is ${mistake.language}.`;
  return {
    code: mistake.code,
    severity: 'warning',
    message,
    span,
    propose: (text) => `Write ${text} instead.`,
    words: mistake.words,
    ...(fix !== '' && { fix: { span, text: fix } }),
  };
}

/** `level=error LIMIT 10`, but not `rate limit 10`. */
function isClauseAfter(before: string, phrase: string): boolean {
  return /[=<>]\s*\S+\s*$/.test(before) || /^[A-Z]{2}/.test(phrase);
}

/** A clause is a step of its own; several filters need parentheses beside others. */
function joinedTo({ place }: Mistake, written: string): string {
  if (place === 'clause') return `| ${written}`;
  if (place !== 'part' || !isQuery(written)) return written;
  const [step] = parseTree(written).steps;
  return step?.kind === 'And' || step?.kind === 'Or' ? `(${written})` : written;
}

interface Word extends Span {
  readonly text: string;
}

/** The unquoted words of a filter, if the step is a filter with free text. */
function wordsOf(step: StepNode): readonly Word[] {
  const words: Word[] = [];
  if (step.kind === 'Comparison') {
    const { value } = step;
    return value.kind === 'Pattern' && !value.quoted ? [{ ...value.span, text: value.text }] : [];
  }
  walk(step, {
    Pattern({ text, quoted, span }) {
      if (!quoted) words.push({ ...span, text });
    },
    Call: () => false,
  });
  return words;
}

/** Characters that other languages and word processors use. */
function markOf({ text, start, end }: Word, source: string): Finding | undefined {
  if (CURLY_QUOTE.test(text)) return curlyQuotes({ text, start, end }, source);
  if ((text === '#' || text === '--') && /^[ \t]*\S/.test(source.slice(end))) {
    const message = `A comment starts with "//". After ${JSON.stringify(text)}, the words of the line are searched for.`;
    const span = { start, end };
    return { code: 'comment', severity: 'warning', message, span, fix: { span, text: '//' } };
  }
  return undefined;
}

const CURLY_QUOTE = /[“”„‘’]/;
const QUOTED_TEXT = /^([“„‘][^“”„‘’"\n]{0,200}[”‘’])/;

function curlyQuotes({ text, start, end }: Word, source: string): Finding {
  const [quoted] = QUOTED_TEXT.exec(source.slice(start)) ?? [];
  const opening = source.slice(0, start).search(/[“„‘][^“”„‘’"\n]*$/);
  const span =
    quoted !== undefined
      ? { start, end: start + quoted.length }
      : { start: opening === -1 ? start : opening, end };
  const message = `The curly quotes in ${quoted ?? text} are part of the text. Write straight double quotes instead.`;
  const fix = quoted && { fix: { span, text: `"${quoted.slice(1, -1)}"` } };
  return { code: 'curly-quotes', severity: 'warning', message, span, ...fix };
}
