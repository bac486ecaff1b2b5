import { type DocumentSymbol, type FoldingRange, SymbolKind } from 'vscode-languageserver/node';
import { tryOr } from '../../core/try-or.ts';
import { childrenOf, parse, type QueryNode, type Span } from '../../language/index.ts';
import type { EmbeddedQuery } from '../sources/embedded-query.ts';
import { shortened } from './features.ts';
import type { QueryDocument } from './query-document.ts';

/** The queries of a document, and their steps. */
export function documentSymbols(document: QueryDocument): DocumentSymbol[] {
  return document.queries.flatMap((embedded, index) => {
    const steps = stepSymbols(document, embedded);
    if (document.isQuery) return steps;
    const range = document.rangeOf(embedded, { start: 0, end: embedded.query.trimEnd().length });
    const name = embedded.name ?? `query ${index + 1}`;
    return [{ name, kind: SymbolKind.Function, range, selectionRange: range, children: steps }];
  });
}

function stepSymbols(document: QueryDocument, embedded: EmbeddedQuery): DocumentSymbol[] {
  const { query } = embedded;
  return tryOr([], () => parse(query).steps).map(({ span, kind }) => {
    const range = document.rangeOf(embedded, span);
    return {
      name: shortened(query.slice(span.start, span.end)),
      kind: kind === 'Assignment' ? SymbolKind.Variable : SymbolKind.Event,
      range,
      selectionRange: range,
    };
  });
}

const FOLDED: readonly QueryNode['kind'][] = ['Case', 'Match', 'Call', 'Array', 'Subquery'];

/** The queries of a document, and parts of them in brackets. */
export function foldingRanges(document: QueryDocument): FoldingRange[] {
  return document.queries.flatMap((embedded) => {
    const { query } = embedded;
    const whole = document.isQuery ? [] : [{ start: 0, end: query.trimEnd().length }];
    const parts = [...whole, ...tryOr([], () => foldedParts(parse(query)))];
    return parts.flatMap((span) => {
      const { start, end } = document.rangeOf(embedded, span);
      return end.line > start.line ? [{ startLine: start.line, endLine: end.line }] : [];
    });
  });
}

function foldedParts(node: QueryNode): readonly Span[] {
  const inner = childrenOf(node).flatMap(foldedParts);
  return FOLDED.includes(node.kind) ? [node.span, ...inner] : inner;
}

/** The saved query or the parser that a query names at an offset. */
export function definitionName(query: string, offset: number): string | undefined {
  const reference = /\$(?:"([^"\n]+)"|([\w./:-]+))|#type\s*=\s*(?:"([^"\n]+)"|([\w./:-]+))/g;
  for (const { 0: text, index, ...groups } of query.matchAll(reference)) {
    if (index > offset || offset > index + text.length) continue;
    const name = groups[1] ?? groups[2] ?? groups[3] ?? groups[4]!;
    // Those of packages have its name before theirs.
    return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
  }
  return undefined;
}
