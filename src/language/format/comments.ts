import type { Token } from '../token.ts';

/** A comment between two tokens. */
export interface Comment {
  readonly text: string;
  /** Nothing else follows on its line. */
  readonly endsLine: boolean;
  /** An empty line comes before it. */
  readonly hasBlankBefore: boolean;
}

/** A token with its comments. */
export interface CommentedToken extends Token {
  /** Comments before the token that are not at the end of the line of the token before it. */
  readonly leading: readonly Comment[];
  /** Comments at the end of the token's line. */
  trailing: readonly Comment[];
  /** A newline is between the previous token and this one. */
  readonly hasNewlineBefore: boolean;
  /** An empty line comes directly before the token. */
  readonly hasBlankBefore: boolean;
}

/** Attaches each comment to a token. Leaves out `|`; adds the end of the query, which can have comments before it. */
export function withComments(source: string, tokens: readonly Token[]): readonly CommentedToken[] {
  const end: Token = { kind: 'end', start: source.length, end: source.length, text: '', value: '' };
  const commented: CommentedToken[] = [];
  for (const token of [...tokens.filter(({ kind }) => kind !== '|'), end]) {
    const before = commented.at(-1);
    const gap = readGap(source.slice(before?.end ?? 0, token.start), token.kind === 'end');
    const { comments } = gap;
    const firstOnNewLine = comments.findIndex(({ newlines }) => newlines > 0);
    const onSameLine = firstOnNewLine === -1 ? comments.length : firstOnNewLine;
    const isTrailing = before !== undefined && comments[onSameLine - 1]?.endsLine === true;
    if (isTrailing) before.trailing = comments.slice(0, onSameLine);
    commented.push({
      ...token,
      leading: isTrailing ? comments.slice(onSameLine) : comments,
      trailing: [],
      hasNewlineBefore: gap.newlines > 0 || firstOnNewLine !== -1,
      hasBlankBefore: gap.newlines > 1,
    });
  }
  return commented;
}

interface Gap {
  readonly comments: readonly (Comment & { readonly newlines: number })[];
  /** A newline follows the last comment. */
  readonly newlines: number;
}

/** Whitespace, a comment, or a `|`, which the formatter writes itself. */
const TRIVIA = /[\s\u0085]+|(\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)|\|/g;

function readGap(gap: string, isLast: boolean): Gap {
  const comments: Gap['comments'][number][] = [];
  let newlines = 0;
  for (const { 0: text, 1: comment, index } of gap.matchAll(TRIVIA)) {
    if (comment === undefined) {
      newlines += text.match(/\r\n|\n|\r/g)?.length ?? 0;
      continue;
    }
    const rest = gap.slice(index + text.length);
    const endsLine = text.startsWith('//') || /^[^\S\n\r]*(?:\|[^\S\n\r]*)*[\n\r]/.test(rest);
    comments.push({
      text: text.trimEnd(),
      endsLine: endsLine || (isLast && rest.trim() === ''),
      hasBlankBefore: newlines > 1,
      newlines,
    });
    newlines = 0;
  }
  return { comments, newlines };
}
