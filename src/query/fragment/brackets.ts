import type { QueryToken } from './query-tokens.ts';

/** What an open bracket holds; the whole query is a pipeline, too. */
interface Bracket {
  readonly kind: 'pipeline' | 'group' | 'call' | 'saved' | 'list' | 'parameter';
  /** In lower case. */
  readonly functionName?: string;
  readonly isUnclear?: boolean;
  /** Whether the inside of it is an expression; for a pipeline whether an assignment has begun. */
  isExpression: boolean;
}

const FUNCTION_NAME = /^[a-z][a-z0-9_]*(?::[a-z][a-z0-9_]*)?$/i;
const KEYWORDS = ['and', 'or', 'not'];

/** The brackets that are open at a place of a query, and so whether a filter or an expression stands there. */
export class Brackets {
  readonly #open: Bracket[] = [{ kind: 'pipeline', isExpression: false }];

  get #last(): Bracket {
    return this.#open.at(-1)!;
  }

  get isExpression(): boolean {
    return this.#last.isExpression;
  }

  /** What is around a place. */
  look(): Pick<Bracket, 'kind' | 'functionName' | 'isUnclear' | 'isExpression'> & {
    isSavedArgument: boolean;
  } {
    const around = this.#open.findLast(({ kind }) => kind !== 'list' && kind !== 'group') ?? this.#last;
    const { kind, isExpression } = this.#last;
    return {
      kind,
      isExpression,
      functionName: around.functionName,
      isUnclear: around.isUnclear ?? false,
      isSavedArgument: around.kind === 'saved' || around.kind === 'parameter',
    };
  }

  /** Takes note of the last of the tokens, which is a mark. */
  take(tokens: readonly QueryToken[]): void {
    const mark = tokens.at(-1)!.text;
    if (mark === '(') this.#open.push(this.#openParenthesis(tokens));
    else if (mark === '[') this.#open.push({ kind: 'list', isExpression: true });
    else if (mark === '{') this.#open.push({ kind: 'pipeline', isExpression: false });
    else if (mark === '?{') this.#open.push({ kind: 'parameter', isExpression: false });
    else if (')]}'.includes(mark)) {
      if (this.#open.length > 1) this.#open.pop();
    } else if (this.#last.kind === 'pipeline') {
      if (mark === ':=') this.#last.isExpression = true;
      else if (mark === '|' || mark === ';') this.#last.isExpression = false;
    }
  }

  #openParenthesis(tokens: readonly QueryToken[]): Bracket {
    const [operator, name, mark] = [tokens.at(-3), tokens.at(-2), tokens.at(-1)!];
    const { isExpression } = this.#last;
    if (name?.end === mark.start && name.kind === 'saved') return { kind: 'saved', isExpression: true };
    const isCall =
      name?.end === mark.start &&
      name.kind === 'word' &&
      FUNCTION_NAME.test(name.text) &&
      !KEYWORDS.includes(name.text.toLowerCase());
    if (!isCall) return { kind: 'group', isExpression };
    // In `a=b(c=d)` only the service's list of functions tells whether `b` is a text.
    const isUnclear = !isExpression && operator?.kind === 'mark' && ['=', '!='].includes(operator.text);
    return { kind: 'call', isExpression: true, functionName: name.text.toLowerCase(), isUnclear };
  }
}
