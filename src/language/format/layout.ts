import type { PipelineNode } from '../ast.ts';
import type { Token } from '../token.ts';
import { type Comment, type CommentedToken, withComments } from './comments.ts';
import { blankLine, type Doc, group, hardLine, ifBroken, indent, line, softLine, space } from './doc.ts';
import { Marks } from './marks.ts';

/** A query as a document. It differs from the query only in whitespace, `|` and trailing `,` and `;`. */
export function layoutOf(source: string, tree: PipelineNode, tokens: readonly Token[]): Doc {
  const commented = withComments(source, tokens);
  return new Layout(commented, new Marks(tree, commented)).query();
}

const CLOSERS: readonly Token['kind'][] = ['}', ')', ']', ';', ',', 'end'];

/** A part of a step, and the index of its first token. */
interface Part {
  readonly index: number;
  readonly doc: Doc;
}

class Layout {
  readonly #tokens: readonly CommentedToken[];
  readonly #marks: Marks;
  #next = 0;

  constructor(tokens: readonly CommentedToken[], marks: Marks) {
    this.#tokens = tokens;
    this.#marks = marks;
  }

  query(): Doc {
    const pipeline = this.#pipeline();
    return [pipeline, ...this.#tokens.at(-1)!.leading.map(ownLine)];
  }

  /** Steps up to a closing mark. In a clause, all but the first are indented. */
  #pipeline(isClause = false): Doc {
    const parts: Doc[] = [];
    const before = this.#beforeStep(this.#tokens[this.#next]!, false);
    let isBroken = false;
    for (let count = 0; !this.#isCloser(this.#next); count += 1) {
      const first = this.#tokens[this.#next]!;
      isBroken ||= count > 0 && first.hasNewlineBefore;
      const step = this.#flat(true);
      parts.push(count === 0 ? step : [this.#beforeStep(first, true), '| ', indent(step)]);
    }
    const [first = '', ...others] = parts;
    if (parts.length === 0) return '';
    return [before, group([first, isClause ? indent(others) : others], isBroken)];
  }

  /** The separator, and comments on separate lines. */
  #beforeStep({ leading, hasBlankBefore }: CommentedToken, isSeparated: boolean): Doc {
    const comments = leading.slice(0, leading.findLastIndex(({ endsLine }) => endsLine) + 1);
    const [first] = comments;
    const hasBlank = first?.hasBlankBefore ?? hasBlankBefore;
    return [
      isSeparated ? (hasBlank ? blankLine : line) : '',
      comments.map(ownLine),
      comments.length === 0 ? '' : hasBlankBefore ? blankLine : hardLine,
    ];
  }

  /** The tokens up to the next step or closing bracket, on one line unless the operands of a filter need several. */
  #flat(isStep = false): Doc {
    const parts: Part[] = [];
    const start = this.#next;
    while (!this.#isCloser(this.#next) && (this.#next === start || !this.#marks.steps.has(this.#next))) {
      const index = this.#next;
      parts.push({ index, doc: this.#token(isStep && index === start) });
    }
    return this.#assemble(parts);
  }

  #assemble(parts: readonly Part[]): Doc {
    const { operands } = this.#marks;
    const depths = parts.slice(1).flatMap(({ index }) => operands.get(index) ?? []);
    const depth = Math.min(...depths);
    const docs: Doc[] = [];
    let firstBreak = parts.length;
    let isBroken = false;
    for (const [place, { index, doc }] of parts.entries()) {
      const isBreak = place > 0 && operands.get(index) === depth;
      if (isBreak) {
        firstBreak = Math.min(firstBreak, place);
        isBroken ||= this.#tokens[index]!.hasNewlineBefore;
      }
      docs.push([place === 0 ? '' : isBreak ? line : this.#separator(index), doc]);
    }
    if (firstBreak === parts.length) return docs;
    return group([docs.slice(0, firstBreak), indent(docs.slice(firstBreak))], isBroken);
  }

  /** What separates a token from the previous one. */
  #separator(index: number): Doc {
    const { tightBefore, tightAfter, operators } = this.#marks;
    const token = this.#tokens[index]!;
    const before = this.#tokens[index - 1]!;
    // `:=` and `=~` are other tokens.
    if (isEquality(token) && !operators.has(index)) return before.text.endsWith(':') ? space : '';
    if (isEquality(before) && !operators.has(index - 1)) return token.text.startsWith('~') ? space : '';
    return tightBefore.has(index) || tightAfter.has(index - 1) ? '' : space;
  }

  /** A token with its comments, and the content of the brackets that it opens. */
  #token(isFirstOfStep: boolean): Doc {
    const index = this.#next;
    const token = this.#tokens[index]!;
    this.#next += 1;
    const { leading } = token;
    const skipped = isFirstOfStep ? leading.findLastIndex(({ endsLine }) => endsLine) + 1 : 0;
    const comments = leading.slice(skipped).map(inline);
    const trailing = this.#isBeforeSeparator(index) ? '' : this.#trailing(index);
    return [comments, token.text, trailing, this.#bracketContent(index, token)];
  }

  #bracketContent(index: number, { kind }: CommentedToken): Doc {
    const { callParentheses, blocks, parameterParts } = this.#marks;
    if (parameterParts.has(index)) return '';
    if (kind === '[' || callParentheses.has(index)) return this.#list();
    if (kind === '(') return [this.#flat(), this.#closer()];
    if (kind !== '{') return '';
    return blocks.has(index) ? this.#block() : this.#subquery();
  }

  /** The items up to `)` or `]`. */
  #list(): Doc {
    const opening = this.#next - 1;
    const items: Doc[] = [];
    let isHugging = false;
    while (this.#tokens[this.#next]!.kind !== ')' && this.#tokens[this.#next]!.kind !== ']') {
      const first = this.#next;
      const item = this.#flat();
      isHugging = items.length === 0 && this.#isBracketed(first, this.#next - 1);
      items.push([item, this.#afterItem(',')]);
    }
    const comments = this.#tokens[this.#next]!.leading.map(ownLine);
    const closer = this.#closer();
    if (items.length === 0) return [comments, closer];
    const content = items.map((item, place) => [place === 0 ? '' : line, item]);
    const isPlain = comments.length === 0 && this.#tokens[opening]!.trailing.length === 0;
    if (isHugging && items.length === 1 && isPlain) return [content, closer];
    return group([indent([softLine, content, comments]), softLine, closer]);
  }

  /** Whether a whole item is in brackets: `[…]` or `{…}`. */
  #isBracketed(first: number, last: number): boolean {
    const { kind, leading } = this.#tokens[first]!;
    if ((kind !== '[' && kind !== '{') || leading.length > 0) return false;
    let depth = 0;
    for (let index = first; index < last; index += 1) {
      const { text } = this.#tokens[index]!;
      depth += ['(', '[', '{'].includes(text) ? 1 : [')', ']', '}'].includes(text) ? -1 : 0;
      if (depth === 0) return false;
    }
    return true;
  }

  /** A separator unless the list ends here, and the comments of the item's line. */
  #afterItem(separator: ',' | ';'): Doc {
    const last = this.#next - 1;
    const token = this.#tokens[this.#next]!;
    if (token.kind !== separator) return this.#isBeforeSeparator(last) ? this.#trailing(last) : '';
    this.#next += 1;
    const comments = [this.#trailing(last), token.leading.map(inline), this.#trailing(this.#next - 1)];
    return [this.#isListEnd() ? '' : separator, comments];
  }

  #isListEnd(): boolean {
    return [')', ']', '}'].includes(this.#tokens[this.#next]!.kind);
  }

  /** The clauses of `case` or the arms of `match`. */
  #block(): Doc {
    const clauses: Doc[] = [];
    let isBroken = false;
    while (this.#tokens[this.#next]!.kind !== '}') {
      const first = this.#tokens[this.#next]!;
      isBroken ||= first.hasNewlineBefore;
      const clause = this.#marks.steps.has(this.#next)
        ? this.#pipeline(true)
        : [this.#flat(), space, this.#pipeline(true)];
      const separator: Doc = clauses.length === 0 ? line : first.hasBlankBefore ? blankLine : line;
      clauses.push([separator, clause, this.#afterClause()]);
    }
    const comments = this.#tokens[this.#next]!.leading.map(ownLine);
    return group([indent([clauses, comments]), line, this.#closer()], isBroken);
  }

  #afterClause(): Doc {
    const last = this.#next - 1;
    const token = this.#tokens[this.#next]!;
    if (token.kind !== ';') return [ifBroken(';'), this.#trailing(last)];
    this.#next += 1;
    const comments = [this.#trailing(last), token.leading.map(inline)];
    const isLast = this.#tokens[this.#next]!.kind === '}';
    return [isLast ? ifBroken(';') : ';', comments, this.#trailing(this.#next - 1)];
  }

  #subquery(): Doc {
    const pipeline = this.#pipeline();
    const { leading } = this.#tokens[this.#next]!;
    const isEmpty = this.#tokens[this.#next - 1]!.kind === '{';
    if (isEmpty && leading.length === 0) return this.#closer();
    return group([indent([line, pipeline, leading.map(ownLine)]), line, this.#closer()]);
  }

  /** The closing bracket; its leading comments are inside. */
  #closer(): Doc {
    const index = this.#next;
    this.#next += 1;
    return [this.#tokens[index]!.text, this.#isBeforeSeparator(index) ? '' : this.#trailing(index)];
  }

  /** Whether the token's comments belong after the `,` or `;` that follows it. */
  #isBeforeSeparator(index: number): boolean {
    const next = this.#tokens[index + 1];
    if (next === undefined || this.#marks.parameterParts.has(index + 1)) return false;
    return next.kind === ',' || next.kind === ';' || (next.kind === '}' && this.#isBlockEnd(index + 1));
  }

  #isBlockEnd(index: number): boolean {
    let depth = 0;
    for (let place = index; place >= 0; place -= 1) {
      if (this.#marks.parameterParts.has(place)) continue;
      const { kind } = this.#tokens[place]!;
      if (kind === '}') depth += 1;
      else if (kind === '{') depth -= 1;
      if (depth === 0) return this.#marks.blocks.has(place);
    }
    return false;
  }

  #trailing(index: number): Doc {
    return this.#tokens[index]!.trailing.map(({ text, endsLine }) =>
      endsLine ? { kind: 'hard', comment: text } : [space, text],
    );
  }

  #isCloser(index: number): boolean {
    return CLOSERS.includes(this.#tokens[index]!.kind) && !this.#marks.parameterParts.has(index);
  }
}

function isEquality({ kind }: Token): boolean {
  return kind === '=' || kind === '!=';
}

function ownLine({ text, hasBlankBefore }: Comment): Doc {
  return [hasBlankBefore ? blankLine : hardLine, text];
}

function inline({ text, endsLine }: Comment): Doc {
  return endsLine ? [hardLine, text, hardLine] : [space, text, space];
}
