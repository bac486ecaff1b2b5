import jsTokens from 'js-tokens';
import type { Span } from '../../language/index.ts';

/** An `` lql`…` `` template in the source of a program. */
export interface QueryTemplate {
  /** The text between the backticks. */
  readonly span: Span;
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

/** Finds the `` lql`…` `` templates in TypeScript or JavaScript, outer ones before those in their values. */
export function findTemplates(source: string): readonly QueryTemplate[] {
  const found: QueryTemplate[] = [];
  const open: OpenTemplate[] = [];
  let offset = 0;
  let [beforeTag, tag] = ['', ''];
  for (const token of jsTokens(source)) {
    const end = offset + token.value.length;
    const isHead = token.type === 'TemplateHead' || token.type === 'NoSubstitutionTemplate';
    if (isHead) {
      const isQuery = tag === 'lql' && beforeTag !== '.';
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
        if (template.isQuery && token.closed) found.push({ span: { start, end: end - 1 }, values, depth });
      }
    }
    [beforeTag, tag, offset] = [tag, token.value, end];
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}
