import type { Range, TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../../language/index.ts';
import { withNewlines } from '../lint/format-query.ts';
import { type EmbeddedQuery, fileSpan, queryOffset } from '../sources/embedded-query.ts';
import { formatOf, queriesIn } from '../sources/query-files.ts';
import { difference, withQuery } from '../sources/replace-queries.ts';

/** Names whose extensions stand for the languages of documents. */
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:typescript|javascript)/, 'a.ts'],
  [/yaml$/, 'a.yaml'],
  [/^json/, 'a.json'],
  [/^(?:markdown|mdx)/, 'a.md'],
];

/** A query around a position, and the position in it. */
export interface QueryPlace {
  readonly embedded: EmbeddedQuery;
  /** Counted from the start of the query. */
  readonly offset: number;
}

/** One version of an open document: a query, or a file with queries in it. */
export class QueryDocument {
  /** True if the document is a query. */
  readonly isQuery: boolean;
  readonly text: string;
  readonly queries: readonly EmbeddedQuery[];
  readonly #document: TextDocument;

  constructor(document: TextDocument, keys: readonly string[] = []) {
    this.#document = document;
    this.text = document.getText();
    const { languageId, uri } = document;
    const name = LANGUAGES.find(([pattern]) => pattern.test(languageId))?.[1] ?? uri;
    this.isQuery = (formatOf(name) ?? 'query') === 'query';
    this.queries = queriesIn(name, this.text, keys).queries;
  }

  /** The query around a position; `undefined` outside of queries and in the values of a template. */
  placeAt(position: { readonly line: number; readonly character: number }): QueryPlace | undefined {
    const at = this.#document.offsetAt(position);
    const embedded = this.queries.findLast(({ offset, end }) => offset <= at && at <= end);
    if (embedded === undefined) return undefined;
    const offset = queryOffset(embedded, at);
    const isInValue = embedded.values.some(({ start, end }) => start < offset && offset < end);
    return isInValue ? undefined : { embedded, offset };
  }

  /** The range of a part of a query. */
  rangeOf(embedded: EmbeddedQuery, span: Span): Range {
    const { start, end } = fileSpan(embedded, span);
    return this.#rangeAt(start, end);
  }

  /** The edits that replace a query, limited to what changes. None if a value of a template would be lost. */
  editsFor(embedded: EmbeddedQuery, replace: () => string): TextEdit[] {
    const { offset, end: stop } = embedded;
    const before = this.text.slice(offset, stop);
    const after = withNewlines(withQuery(this.text, embedded, replace), before);
    if (after === before) return [];
    const { span, part } = difference(before, after);
    return [{ range: this.#rangeAt(offset + span.start, offset + span.end), newText: part }];
  }

  #rangeAt(start: number, end: number): Range {
    return { start: this.#document.positionAt(start), end: this.#document.positionAt(end) };
  }
}
