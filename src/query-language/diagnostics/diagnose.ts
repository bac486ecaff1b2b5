import type { PipelineNode, Span, StepNode } from '../ast.ts';
import { walk } from '../walk.ts';
import type { Diagnostic } from './diagnostic.ts';
import { FOREIGN_PHRASES } from './foreign-syntax.ts';
import { maskText } from './masked-text.ts';

/** Finds phrases of other query languages in a valid query, where they only search for their words. */
export function diagnose(source: string, tree: PipelineNode): readonly Diagnostic[] {
  const masked = maskText(source);
  const found: Diagnostic[] = [];
  walk(tree, {
    Pipeline({ steps }) {
      for (const [index, step] of steps.entries()) {
        const words = wordsOf(step);
        if (words.length === 0) continue;
        const marks = words.flatMap((word) => markOf(word, source) ?? []);
        // The last word of a quotation has a mark, too.
        found.push(...marks.filter(({ span }, place) => marks[place - 1]?.span.end !== span.end));
        if (marks.length > 0 || step.kind === 'Comparison') continue;
        const phrase = phraseIn({ source, masked, step: step.span, isFirst: index === 0 });
        if (phrase !== undefined) found.push(phrase);
      }
    },
  });
  return found;
}

/**
 * Explains an error in a query by the phrase of another language around it.
 *
 * @param place where the error is
 */
export function explain(source: string, place: Span): Diagnostic | undefined {
  const masked = maskText(source);
  const step = stepAround(masked, place.start);
  const phrase = phraseIn({ source, masked, step, isFirst: false });
  // In an expression, "and" would be as wrong as "&&".
  if (phrase === undefined || phrase.code === 'and-mark') return undefined;
  if (phrase.span.end < place.start || phrase.span.start > place.end) return undefined;
  return { ...phrase, severity: 'error' };
}

/** The text between two `|`, or between other marks around steps. */
function stepAround(masked: string, offset: number): Span {
  const before = masked.slice(0, offset);
  const start = Math.max(before.lastIndexOf('|'), before.lastIndexOf(';'), before.lastIndexOf('{')) + 1;
  const after = masked.slice(offset).search(/[|;]/);
  return { start, end: after === -1 ? masked.length : offset + after };
}

/** Phrases are short, and the search must be bounded. */
const MAX_STEP_LENGTH = 1000;

interface PhraseOptions {
  readonly source: string;
  readonly masked: string;
  readonly step: Span;
  readonly isFirst: boolean;
}

function phraseIn({ source, masked, step, isFirst }: PhraseOptions): Diagnostic | undefined {
  const text = masked.slice(step.start, step.end).trimStart();
  const start = step.end - text.length;
  if (text.length > MAX_STEP_LENGTH) return undefined;
  for (const { code, language, pattern, write, isCommand } of FOREIGN_PHRASES) {
    if (isFirst && isCommand) continue;
    const match = pattern.exec(text.trimEnd());
    if (match?.indices === undefined) continue;
    const original = match.indices.map((range) => range && source.slice(start + range[0], start + range[1]));
    const [phrase = '', ...groups] = original;
    const fix = write(...(groups as string[])).trim();
    const span = { start: start + match.index, end: start + match.index + phrase.length };
    const message = `${JSON.stringify(phrase.trim())} is ${language}. Write ${fix} instead.`;
    return {
      code,
      severity: 'warning',
      message,
      span,
      ...(!fix.includes('…') && { fix: { span, text: fix } }),
    };
  }
  return undefined;
}

interface Word extends Span {
  readonly text: string;
}

/** The unquoted words of a filter, if the step is a filter with free text. */
function wordsOf(step: StepNode): readonly Word[] {
  const words: Word[] = [];
  if (step.kind !== 'And' && step.kind !== 'Or' && step.kind !== 'Not' && step.kind !== 'FreeText') {
    return step.kind === 'Comparison' && step.value.kind === 'Pattern' && !step.value.quoted
      ? [{ ...step.value.span, text: step.value.text }]
      : [];
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
function markOf({ text, start, end }: Word, source: string): Diagnostic | undefined {
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

function curlyQuotes({ text, start, end }: Word, source: string): Diagnostic {
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
