import jsTokens from 'js-tokens';
import type { Span } from '../../language/index.ts';

/** An `` lql`…` `` template in the source of a program, or a string after a comment `lql`. */
export interface QueryTemplate {
  /** The text between the quotes. */
  readonly span: Span;
  readonly quote: string;
  /** The places of `${…}`, counted from the start of the span. */
  readonly values: readonly Span[];
  /** Number of such templates around it. */
  readonly depth: number;
}

interface OpenTemplate {
  readonly isQuery: boolean;
  readonly start: number;
  readonly values: Span[];
  valueStart: number;
}

/** A comment before a string with a query. */
const MARK = /^\/\*\s*lql\s*\*\/$/;

/**
 * Finds the `` lql`…` `` templates, and the strings and templates after a comment `lql`, in TypeScript or JavaScript; outer
 * ones before those in their values.
 */
export function findTemplates(source: string): readonly QueryTemplate[] {
  const found: QueryTemplate[] = [];
  const open: OpenTemplate[] = [];
  let offset = 0;
  let [beforeTag, tag, isMarked] = ['', '', false];
  for (const token of jsTokens(source)) {
    const end = offset + token.value.length;
    const isHead = token.type === 'TemplateHead' || token.type === 'NoSubstitutionTemplate';
    if (isHead) {
      const isQuery = isMarked || (tag === 'lql' && beforeTag !== '.');
      open.push({ isQuery, start: offset + 1, values: [], valueStart: 0 });
    }
    const template = open.at(-1);
    if (template !== undefined && /^Template|Template$/.test(token.type)) {
      const { start, values, valueStart } = template;
      if (!isHead) values.push({ start: valueStart - start, end: offset + 1 - start });
      template.valueStart = end - 2;
      if ('closed' in token) {
        open.pop();
        const depth = open.filter(({ isQuery }) => isQuery).length;
        if (template.isQuery && token.closed) {
          found.push({ span: { start, end: end - 1 }, quote: '`', values, depth });
        }
      }
    }
    // Escape sequences would move positions.
    if (token.type === 'StringLiteral' && isMarked && token.closed && !token.value.includes('\\')) {
      const depth = open.filter(({ isQuery }) => isQuery).length;
      found.push({ span: { start: offset + 1, end: end - 1 }, quote: token.value[0]!, values: [], depth });
    }
    if (!/^(?:WhiteSpace|LineTerminatorSequence)$/.test(token.type)) isMarked = MARK.test(token.value);
    [beforeTag, tag, offset] = [tag, token.value, end];
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}
