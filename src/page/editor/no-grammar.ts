/**
 * Replaces `@codemirror/language` and `@lezer/common` in the bundle of the page. The editor has no grammar of CodeMirror,
 * because the query language has its own parser, so the commands of CodeMirror use these few functions of an editor for
 * plain text.
 */
import { countColumn, type EditorState, Facet } from '@codemirror/state';

/** The only node of an empty syntax tree. */
const ROOT = {
  name: '',
  from: 0,
  to: 0,
  type: { isTop: true, isError: false, prop: () => undefined },
  parent: null,
  firstChild: null,
  lastChild: null,
  childBefore: () => null,
  childAfter: () => null,
};

const TREE = { resolveInner: () => ROOT, resolveStack: () => ({ node: ROOT, next: null }) };

export const NodeProp = { openedBy: 'openedBy', closedBy: 'closedBy' };

export const indentUnit: Facet<string, string> = Facet.define<string, string>({ combine: () => '  ' });

export function syntaxTree(): typeof TREE {
  return TREE;
}

export function getIndentUnit(): number {
  return 2;
}

export function indentString(_: EditorState, columns: number): string {
  return ' '.repeat(columns);
}

/** Without a grammar, a new line is indented like the one before. */
export function getIndentation(): null {
  return null;
}

export class IndentContext {
  readonly #state: EditorState;

  constructor(state: EditorState) {
    this.#state = state;
  }

  lineIndent(position: number): number {
    const { doc, tabSize } = this.#state;
    return countColumn(/^\s*/.exec(doc.lineAt(position).text)![0], tabSize);
  }
}

interface Place {
  readonly from: number;
  readonly to: number;
}

const BRACKETS = '()[]{}';

/** The bracket that belongs to the one after the position, or before it with a negative direction. */
export function matchBrackets(
  { doc }: EditorState,
  position: number,
  direction: 1 | -1,
): { readonly start: Place; readonly end: Place; readonly matched: true } | null {
  const text = doc.toString();
  const first = direction > 0 ? position : position - 1;
  const kind = BRACKETS.indexOf(text.charAt(first) || ' ');
  // An opening bracket has an even index, and its partner is after it.
  if (kind === -1 || (kind % 2 === 0) !== direction > 0) return null;
  const partner = BRACKETS[kind + direction];
  for (let at = first, depth = 0; at >= 0 && at < text.length; at += direction) {
    if (text[at] === BRACKETS[kind]) depth++;
    else if (text[at] === partner) depth--;
    if (depth === 0) return { start: placeAt(first), end: placeAt(at), matched: true };
  }
  return null;
}

function placeAt(from: number): Place {
  return { from, to: from + 1 };
}
