import type { FilterNode, PipelineNode, QueryNode } from '../ast.ts';
import { walk } from '../walk.ts';
import type { CommentedToken } from './comments.ts';

/** Properties of tokens from the tree, by index: the formatter handles these differently. */
export class Marks {
  /** The first token of each step. */
  readonly steps = new Set<number>();
  /**
   * The first token of each operand of `and` and `or` except the first operand, or the keyword before it, with its
   * depth.
   */
  readonly operands = new Map<number, number>();
  /** No space comes before these tokens. */
  readonly tightBefore = new Set<number>();
  /** No space comes after these tokens. */
  readonly tightAfter = new Set<number>();
  /** Operators between two operands of an expression. */
  readonly operators = new Set<number>();
  /** The `(` of a call. */
  readonly callParentheses = new Set<number>();
  /** The `{` of `case` and `match`. */
  readonly blocks = new Set<number>();
  /** Tokens of `?{name=default}` after the first. */
  readonly parameterParts = new Set<number>();
  readonly #tokens: readonly CommentedToken[];
  readonly #indexes: ReadonlyMap<number, number>;
  readonly #depths = new Map<QueryNode, number>();

  constructor(tree: PipelineNode, tokens: readonly CommentedToken[]) {
    this.#tokens = tokens;
    this.#indexes = new Map(tokens.map(({ start }, index) => [start, index]));
    walk(tree, {
      Pipeline: ({ steps }) => {
        for (const { span } of steps) this.steps.add(this.#beforeParentheses(this.#at(span.start)));
      },
      And: (node, parent) => this.#markOperands(node, parent),
      Or: (node, parent) => this.#markOperands(node, parent),
      Unary: ({ span }) => {
        const index = this.#at(span.start);
        // The word `not` needs a space.
        if (this.#tokens[index]!.kind === '-') this.tightAfter.add(index);
      },
      Binary: ({ right }) => {
        const operand = this.#beforeParentheses(this.#at(right.span.start));
        this.operators.add(operand - 1);
      },
      Call: ({ nameSpan }) => this.#markCall(this.#at(nameSpan.start) + 1),
      SavedQuery: ({ span }) => {
        const dollar = this.#at(span.start);
        this.tightBefore.add(dollar + 1);
        this.#markCall(dollar + 2);
      },
      Case: ({ span }) => this.blocks.add(this.#at(span.start) + 1),
      Match: ({ span }) => this.blocks.add(this.#at(span.start) + 2),
      Parameter: ({ span }) => {
        for (let index = this.#at(span.start) + 1; this.#tokens[index]!.start < span.end; index += 1) {
          this.tightBefore.add(index);
          this.parameterParts.add(index);
        }
      },
    });
    for (const [index, { kind }] of this.#tokens.entries()) {
      if (kind === ':') this.tightBefore.add(index);
      if (kind === '!') this.tightAfter.add(index);
    }
  }

  #markCall(parenthesis: number): void {
    this.callParentheses.add(parenthesis);
    this.tightBefore.add(parenthesis);
  }

  #markOperands(
    node: { readonly operands: readonly FilterNode[] } & QueryNode,
    parent: QueryNode | undefined,
  ): void {
    const depth = (parent === undefined ? 0 : (this.#depths.get(parent) ?? 0)) + 1;
    this.#depths.set(node, depth);
    for (const { span } of node.operands.slice(1)) {
      const first = this.#beforeParentheses(this.#at(span.start));
      const before = this.#tokens[first - 1]!;
      // A word at the start of a step is not a keyword.
      const isKeyword = before.kind === 'word' && /^(?:and|or)$/i.test(before.text);
      const hasKeyword = isKeyword && !this.steps.has(first - 1);
      // Checks recognize `web?1` of another language only as one word.
      if (this.#tokens[first]!.kind === '?' && before.end === span.start) this.tightBefore.add(first);
      else this.operands.set(hasKeyword ? first - 1 : first, depth);
    }
  }

  #at(offset: number): number {
    return this.#indexes.get(offset)!;
  }

  #beforeParentheses(index: number): number {
    let first = index;
    while (this.#tokens[first - 1]?.kind === '(' && !this.callParentheses.has(first - 1)) first -= 1;
    return first;
  }
}
