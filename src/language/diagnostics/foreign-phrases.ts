import type { PipelineNode, Span, StepNode } from '../ast.ts';
import { isQuery, parseTree } from '../syntax-tree.ts';
import { walk } from '../walk.ts';
import type { Finding } from './diagnostic.ts';
import { maskText } from './masked-text.ts';
import { MISTAKES } from './mistakes/index.ts';
import { charactersIn, type Mistake } from './mistakes/mistake.ts';

/** Finds phrases of other query languages in a valid query, where they only search for their words. */
export function foreignPhrases(source: string, tree: PipelineNode): readonly Finding[] {
  const findings: Finding[] = [];
  let masked: string | undefined;
  walk(tree, {
    Pipeline({ steps }, parent) {
      for (const [index, step] of steps.entries()) {
        const { kind, span } = step;
        const isCall = kind === 'Call';
        if (!isCall && !FILTERS.includes(kind)) continue;
        masked ??= maskPhrases(source);
        const isFirst = index === 0 && !/\|\s*$/.test(masked.slice(0, span.start));
        const isAll = parent === undefined && index === 0;
        const calls = isCall ? [] : callsIn(step);
        // The arguments of a valid call are no phrases.
        const isHere = ({ span: { start, end } }: Finding) =>
          !calls.some((call) => call.start < start && end < call.end);
        const phrase = phraseIn({ source, masked, step: span, isFirst, isAll, isCall, isHere });
        if (phrase !== undefined) findings.push(phrase);
      }
    },
  });
  return findings;
}

function callsIn(step: StepNode): readonly Span[] {
  const spans: Span[] = [];
  walk(step, { Call: ({ span }) => void spans.push(span) });
  return spans;
}

const FILTERS: readonly StepNode['kind'][] = ['And', 'Or', 'Not', 'FreeText', 'Comparison'];

/** The phrase of another language around an error in a query. */
export function foreignPhraseAt(source: string, place: Span): Finding | undefined {
  const masked = maskPhrases(source);
  const step = stepAround(masked, place.start);
  const isFirst = masked.slice(0, step.start).trim() === '';
  const isHere = ({ code, span }: Finding) =>
    // In an expression, "and" would be as wrong as "&&".
    code !== 'and-mark' && span.end >= place.start && span.start <= place.end;
  const whole = { start: 0, end: masked.length };
  const phrase =
    phraseIn({ source, masked, step: whole, isFirst: true, isAll: true, isHere }) ??
    phraseIn({ source, masked, step, isFirst: false, isAll: isFirst, isHere });
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
  /** Whether no `|` is before the step. */
  readonly isFirst: boolean;
  /** Whether the step starts the query. Then phrases of a whole query may start there. */
  readonly isAll: boolean;
  /** Whether the step is a valid call. */
  readonly isCall?: boolean;
  readonly isHere?: (phrase: Finding) => boolean;
}

const CALLS = MISTAKES.filter(({ place }) => place === 'call');

function phraseIn(place: PhrasePlace): Finding | undefined {
  const words = place.masked.slice(place.step.start).toLowerCase();
  const missing = ~charactersIn(words);
  const possible = (place.isCall === true ? CALLS : MISTAKES).filter(
    ({ characters, hint }) => (characters & missing) === 0 && words.includes(hint),
  );
  for (const mistake of possible) {
    if (mistake.place === 'pipe' && place.isFirst) continue;
    if (mistake.place === 'query' && !place.isAll) continue;
    const phrase = phraseOf(mistake, place);
    if (phrase !== undefined && place.isHere?.(phrase) !== false) return phrase;
  }
  return undefined;
}

function phraseOf(mistake: Mistake, { source, masked, step }: PhrasePlace): Finding | undefined {
  const end = mistake.place === 'query' ? masked.length : step.end;
  const text = masked.slice(step.start, end).trimStart();
  const start = end - text.length;
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
  const fix = isInside && written !== '' ? joinedTo(mistake, written) : written;
  const span = { start: start + match.index, end: start + match.index + phrase.length };
  const message = `${JSON.stringify(phrase.trim())} is ${mistake.language}.`;
  return {
    code: mistake.code,
    severity: 'warning',
    message,
    span,
    propose: (text) => `Write ${text} instead.`,
    words: mistake.words,
    fix: fix === '' ? undefined : { span, text: fix },
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
