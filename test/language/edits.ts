import type { QueryNode, Span } from '../../src/language/index.ts';

/** A replacement of a part of the text. */
export interface Edit {
  readonly at: Span;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export function edited(source: string, edits: readonly Edit[]): string {
  const fromBehind = [...edits].sort((a, b) => b.at.start - a.at.start);
  return fromBehind.reduce(
    (text, { at, text: replacement }) => text.slice(0, at.start) + replacement + text.slice(at.end),
    source,
  );
}

/** One edit per position at which a node starts: a node and its first child start at the same one. */
export function insertedBefore(tree: QueryNode, text: string): Edit[] {
  const starts = new Set(nodesOf(tree).map(({ span }) => span.start));
  return [...starts].map((start) => ({ at: { start, end: start }, text }));
}

/** The nodes of a tree, in any order. */
export function nodesOf(tree: QueryNode): QueryNode[] {
  const found: QueryNode[] = [];
  JSON.stringify(tree, (_key, value: unknown) => {
    if (isNode(value)) found.push(value);
    return value;
  });
  return found;
}

function isNode(value: unknown): value is QueryNode {
  return typeof value === 'object' && value !== null && 'kind' in value && 'span' in value;
}
