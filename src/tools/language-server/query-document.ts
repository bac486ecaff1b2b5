import type { Range, TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../../language/index.ts';
import { type EmbeddedQuery, isProgram, queriesIn, templatesIn } from '../lint/query-sources.ts';
import { withQuery } from '../lint/replace-queries.ts';

const PROGRAM_LANGUAGE = /^(?:typescript|javascript)/;

/** A query around a position, and the position in it. */
export interface QueryPlace {
  readonly embedded: EmbeddedQuery;
  /** Counted from the start of the query. */
  readonly offset: number;
}

/** One version of an open document: a query, or a program with queries in its templates. */
export class QueryDocument {
  readonly isProgram: boolean;
  readonly text: string;
  readonly queries: readonly EmbeddedQuery[];
  readonly #document: TextDocument;

  constructor(document: TextDocument) {
    this.#document = document;
    this.text = document.getText();
    this.isProgram = PROGRAM_LANGUAGE.test(document.languageId) || isProgram(document.uri);
    this.queries = this.isProgram ? templatesIn(this.text) : queriesIn('', this.text);
  }

  /** The query around a position; `undefined` outside of queries and in the values of a template. */
  placeAt(position: { readonly line: number; readonly character: number }): QueryPlace | undefined {
    const at = this.#document.offsetAt(position);
    const embedded = this.queries.findLast(
      ({ query, offset }) => offset <= at && at <= offset + query.length,
    );
    if (embedded === undefined) return undefined;
    const offset = at - embedded.offset;
    const isInValue = embedded.values.some(({ start, end }) => start < offset && offset < end);
    return isInValue ? undefined : { embedded, offset };
  }

  /** The range of a part of a query. */
  rangeOf({ offset }: EmbeddedQuery, { start, end }: Span): Range {
    return {
      start: this.#document.positionAt(offset + start),
      end: this.#document.positionAt(offset + end),
    };
  }

  /** The edits that replace a query, limited to what changes. None if a value of a template would be lost. */
  editsFor(embedded: EmbeddedQuery, replace: () => string): TextEdit[] {
    const { offset, query } = embedded;
    const before = this.text.slice(offset, offset + query.length);
    const after = withEol(withQuery(this.text, embedded, replace), before);
    if (after === before) return [];
    const start = sharedLength(before, after, (text, index) => text.charCodeAt(index));
    const end = sharedLength(before.slice(start), after.slice(start), (text, index) =>
      text.charCodeAt(text.length - 1 - index),
    );
    const range = this.rangeOf(embedded, { start, end: before.length - end });
    return [{ range, newText: after.slice(start, after.length - end) }];
  }
}

/** The text with the line breaks of another one. */
function withEol(text: string, like: string): string {
  return like.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

/** How many characters two strings share, in the order of `at`. */
function sharedLength(one: string, other: string, at: (text: string, index: number) => number): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && at(one, length) === at(other, length)) length += 1;
  return length;
}
