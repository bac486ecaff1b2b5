import ts from 'typescript';

/** The parts of a docstring. */
export interface Docstring {
  readonly meaning: string;
  /** The text after `@default`. */
  readonly fallback: string | undefined;
  /** The text after `@see`. */
  readonly see: string | undefined;
}

export function docstringOf(node: ts.Node): Docstring {
  const doc = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
  const tag = (name: string) => doc?.tags?.find(({ tagName }) => tagName.text === name);
  const see = tag('see')
    ?.getText()
    .replace(/^@see\s+|[\s*]+$/g, '');
  return {
    meaning: plain(ts.getTextOfJSDocComment(doc?.comment)) ?? '',
    fallback: plain(ts.getTextOfJSDocComment(tag('default')?.comment)),
    see,
  };
}

/** On one line of Markdown, with links as code. */
function plain(text: string | undefined): string | undefined {
  const lines = text?.replace(/\{@link ([\w.]+)\}/g, '`$1`').replace(/\s*\n- /g, '<br>');
  return lines?.replace(/\s*\n\s*/g, ' ').trim();
}
