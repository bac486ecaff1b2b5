import type { PipelineNode, Span } from '../ast.ts';
import { walk } from '../walk.ts';
import { applyEdits, type Finding } from './diagnostic.ts';
import { maskText } from './masked-text.ts';

/** States the order of `or` beside `and`, which most other languages reverse. */
export function checkOrder(tree: PipelineNode, source: string): readonly Finding[] {
  return bareAlternatives(tree, source).map((span) => ({
    code: 'or-before-and',
    severity: 'info',
    message: '"or" binds tighter than "and", also where "and" is not written.',
    span,
    propose: (text) => `This means ${text}.`,
    fix: { span, text: `(${source.slice(span.start, span.end)})` },
  }));
}

/** The query with parentheses around each `or` beside an `and`. */
export function withParentheses(source: string, tree: PipelineNode): string {
  const edits = bareAlternatives(tree, source).flatMap(({ start, end }) => [
    { span: { start, end: start }, text: '(' },
    { span: { start: end, end }, text: ')' },
  ]);
  return applyEdits(source, edits);
}

/** Each `a or b` that is an operand of `and`, without parentheses. */
function bareAlternatives(tree: PipelineNode, source: string): readonly Span[] {
  const spans: Span[] = [];
  let masked: string | undefined;
  walk(tree, {
    And({ operands }) {
      for (const { kind, span } of operands) {
        if (kind !== 'Or') continue;
        masked ??= /\/[/*]/.test(source) ? maskText(source) : source;
        const isOpen = masked.slice(0, span.start).trimEnd().endsWith('(');
        if (!isOpen || !masked.slice(span.end).trimStart().startsWith(')')) spans.push(span);
      }
    },
  });
  return spans;
}
