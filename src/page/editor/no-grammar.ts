/**
 * Replaces `@codemirror/language` and `@lezer/common` in the bundle of the page. The editor has no grammar of CodeMirror,
 * because the query language has its own parser, so the commands of CodeMirror use these few functions of an editor for
 * plain text.
 */
import { countColumn, type EditorState, Facet } from '@codemirror/state';

/** The only node of an empty syntax tree. */
const ROOT = {
  from: 0,
  to: 0,
  parent: null,
  childBefore: () => null,
  childAfter: () => null,
};

const TREE = { resolveInner: () => ROOT };

/** Only commands for which the editor has no key use these two. */
export const NodeProp = {};
export const matchBrackets = (): null => null;

export const indentUnit: Facet<string, string> = Facet.define<string, string>({ combine: () => '  ' });

export const syntaxTree = (): typeof TREE => TREE;
export const getIndentUnit = (): number => 2;
export const indentString = (_: EditorState, columns: number): string => ' '.repeat(columns);
/** Without a grammar, a new line is indented like the one before. */
export const getIndentation = (): null => null;

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
