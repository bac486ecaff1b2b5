import type { Span } from '../../language/index.ts';

/** A query in a file. */
export interface EmbeddedQuery {
  readonly query: string;
  /** Where its source text starts in the file. */
  readonly offset: number;
  readonly end: number;
  /**
   * - `file`: all of the file.
   * - `template`: an `` lql`…` `` template in a program.
   * - `block`: lines with the same prefix, in YAML or Markdown.
   * - `line`: a string on one line of YAML or JSON.
   * - `fixed`: text that can't be rewritten in place.
   */
  readonly kind: 'file' | 'template' | 'block' | 'line' | 'fixed';
  /** The places of values in a template. */
  readonly values: readonly Span[];
  /** Number of templates around it. */
  readonly depth: number;
  /** Where the parts of the query are in the file, if its source text differs from the query. */
  readonly segments?: readonly Segment[];
  /** Name of the rule, widget or saved query. */
  readonly name?: string;
  /** How its source text represents a part of the query. */
  readonly encode?: (part: string, next: string) => string;
  /** Why a `fixed` query can't be rewritten. */
  readonly reason?: string;
  /** Reads the queries of another text of the same file, to check a change. */
  readonly read?: (text: string) => readonly EmbeddedQuery[];
}

/** The queries of a file, or where it can't be parsed. */
export interface FileQueries {
  readonly queries: readonly EmbeddedQuery[];
  readonly error?: { readonly offset: number; readonly message: string };
}

/** A part of a query whose characters are in the same order in the file. */
export interface Segment {
  /** Where it starts in the query. */
  readonly at: number;
  /** Where it starts in the file. */
  readonly offset: number;
  /** Length in the file, for an escape sequence. Default: as long as in the query. */
  readonly width?: number;
}

/** The place in the file of a part of a query. */
export function fileSpan(embedded: EmbeddedQuery, { start, end }: Span): Span {
  const from = fileOffset(embedded, start);
  if (start === end) return { start: from, end: from };
  const { at, offset, width } = segmentAt(embedded, end - 1);
  return { start: from, end: offset + (width ?? end - at) };
}

/** The place in the file of a character of a query. */
export function fileOffset(embedded: EmbeddedQuery, index: number): number {
  const { at, offset, width } = segmentAt(embedded, index);
  return offset + (width === undefined || index === at ? index - at : width);
}

/** The character of a query at a place in the file. */
export function queryOffset(embedded: EmbeddedQuery, offset: number): number {
  const segments = segmentsOf(embedded);
  const index = segments.findLastIndex((each, place) => place === 0 || each.offset <= offset);
  const { at, offset: start } = segments[index]!;
  const limit = segments[index + 1]?.at ?? embedded.query.length;
  return Math.min(at + Math.max(0, offset - start), limit);
}

function segmentsOf({ segments, offset }: EmbeddedQuery): readonly Segment[] {
  return segments !== undefined && segments.length > 0 ? segments : [{ at: 0, offset }];
}

function segmentAt(embedded: EmbeddedQuery, index: number): Segment {
  const segments = segmentsOf(embedded);
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (segments[middle]!.at <= index) low = middle;
    else high = middle - 1;
  }
  return segments[low]!;
}
