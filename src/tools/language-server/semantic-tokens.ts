import { type SemanticTokens, SemanticTokensBuilder } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type HighlightKind, highlight } from '../../language/index.ts';

/** The standard type of each part of a query; brackets and words to search for have none. */
const TYPES: Readonly<Partial<Record<HighlightKind, string>>> = {
  comment: 'comment',
  string: 'string',
  regex: 'regexp',
  number: 'number',
  keyword: 'keyword',
  function: 'function',
  argument: 'parameter',
  field: 'property',
  variable: 'variable',
  savedQuery: 'macro',
  operator: 'operator',
};

/** The types in the order of their numbers. */
export const TOKEN_TYPES: string[] = [...new Set(Object.values(TYPES))];

/** The parts of a query file with their types. A part of several lines is a token per line. */
export function semanticTokens(document: TextDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  const text = document.getText();
  for (const { kind, span } of highlight(text)) {
    const type = TYPES[kind];
    if (type === undefined) continue;
    for (const { 0: line, index } of text.slice(span.start, span.end).matchAll(/[^\r\n]+/g)) {
      const start = document.positionAt(span.start + index);
      builder.push(start.line, start.character, line.length, TOKEN_TYPES.indexOf(type), 0);
    }
  }
  return builder.build();
}
