import type { Span } from './ast.ts';

/** A position in the source. */
export interface SourcePosition {
  /** UTF-16 code units from the start of the source, counted from 0. */
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  /** UTF-16 code units from the start of the line, counted from 1. */
  readonly column: number;
}

/** A problem with a query, its position and an excerpt with a caret. */
export interface ProblemDescription extends SourcePosition {
  /** One line: the problem, followed by `(line L, column C)`. */
  readonly message: string;
  /** The line of the query and a second line with `^` below the span, without a trailing newline. */
  readonly excerpt: string;
}

const LINE_BREAK = /\r\n|\n|\r/g;
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu;
const MAX_EXCERPT_CHARACTERS = 100;

/** The part of the source in a span. */
export function textAt(source: string, { start, end }: Span): string {
  return source.slice(start, end);
}

/** The line and column of an offset. Offsets outside the text are clamped. */
export function positionAt(source: string, offset: number): SourcePosition {
  const place = Math.max(0, Math.min(offset, source.length));
  let line = 1;
  let lineStart = 0;
  for (const { index, 0: lineBreak } of source.matchAll(LINE_BREAK)) {
    if (index + lineBreak.length > place) break;
    line += 1;
    lineStart = index + lineBreak.length;
  }
  return { offset: place, line, column: place - lineStart + 1 };
}

/** Describes a problem with a query as a message and an excerpt, for syntax and semantic errors. */
export function describeProblem(source: string, span: Span, problem: string): ProblemDescription {
  const position = positionAt(source, span.start);
  return {
    ...position,
    message: `${problem} (line ${position.line}, column ${position.column})`,
    excerpt: drawExcerpt(source, span, position),
  };
}

function drawExcerpt(source: string, span: Span, { offset, line, column }: SourcePosition): string {
  const lineStart = offset - column + 1;
  const lineEnd = source.slice(lineStart).search(/[\r\n]|$/) + lineStart;
  const windowStart = Math.max(lineStart, Math.min(offset - 40, lineEnd - MAX_EXCERPT_CHARACTERS));
  const windowEnd = Math.min(lineEnd, windowStart + MAX_EXCERPT_CHARACTERS);
  const before = windowStart > lineStart ? '…' : '';
  const after = windowEnd < lineEnd ? '…' : '';
  // Every control character becomes one column, so the caret stays in place and no control character reaches a
  // terminal.
  const text = source.slice(windowStart, windowEnd).replace(CONTROL_CHARACTERS, ' ');
  const indent = before.length + offset - windowStart;
  const width = Math.max(1, Math.min(span.end, windowEnd) - offset);
  const gutter = `${line} | `;
  const emptyGutter = `${' '.repeat(String(line).length)} | `;
  return `${gutter}${before}${text}${after}\n${emptyGutter}${' '.repeat(indent)}${'^'.repeat(width)}`;
}
