import { refuseUnknownOptions, requireBoolean, requireInteger } from '../../core/option-checks.ts';
import { tryOr } from '../../core/try-or.ts';
import type { PipelineNode } from '../ast.ts';
import { withParentheses } from '../diagnostics/operator-order.ts';
import { parse } from '../parse.ts';
import { tokensOf } from '../syntax-tree.ts';
import { printDoc } from './doc.ts';
import { layoutOf } from './layout.ts';

/** Options of {@link format}. */
export interface FormatOptions {
  /**
   * Maximum line length in UTF-16 code units; longer lines are broken where possible.
   *
   * @default 100
   */
  width?: number | undefined;
  /**
   * Whether to write parentheses around each `or` beside an `and`.
   *
   * @default false
   */
  parens?: boolean | undefined;
}

/**
 * Formats a query. Comments stay, and so do line breaks between steps and between the operands of a filter; a query on
 * one line stays on one line if it fits. Formatting twice changes nothing, and the meaning of the query never changes.
 *
 * @throws QuerySyntaxError if the query can't be parsed
 * @throws LogOptionsException if an option is invalid
 * @example
 * ```ts
 * format('level = error|groupBy( [host,user] ,limit = max)\n|sort(_count)');
 * // level=error
 * // | groupBy([host, user], limit=max)
 * // | sort(_count)
 * ```
 */
export function format(query: string, options: FormatOptions = {}): string {
  refuseUnknownOptions('format', options, ['width', 'parens']);
  const width = requireInteger('format', 'width', options.width ?? 100, { min: 20, max: 1000 });
  const tree = parse(query);
  const { parens = false } = options;
  const source = requireBoolean('format', 'parens', parens) ? withParentheses(query, tree) : query;
  const text = formatted(source, parens ? parse(source) : tree, width);
  // If it is not the same query, the formatter has a bug, and the query stays unchanged.
  return tryOr(false, () => withoutSpans(parse(text)) === withoutSpans(tree)) ? text : query;
}

/** The formatted text, before checking that its meaning is the same. */
export function formatted(query: string, tree: PipelineNode, width: number): string {
  return printDoc(layoutOf(query, tree, tokensOf(query)), width);
}

function withoutSpans(tree: PipelineNode): string {
  return JSON.stringify(tree, (key, value) => (key === 'span' || key === 'nameSpan' ? undefined : value));
}
