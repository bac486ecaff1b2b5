import type { Token } from '../token.ts';
import { tolerantTokens } from '../tolerant-tokens.ts';

/** The call whose parentheses are open at an offset. */
export interface CallAround {
  readonly name: string;
  /** The names of its arguments so far. */
  readonly args: readonly string[];
  /** The name of the argument at the offset, if it is written. */
  readonly argument: string | undefined;
  /** True if the offset is inside `[…]` of the argument. */
  readonly isInArray: boolean;
}

/** The innermost call around an offset; `undefined` outside of calls and inside braces. */
export function callAround(query: string, offset: number): CallAround | undefined {
  return callIn(tolerantTokens(query).filter(({ end }) => end <= offset));
}

/** The innermost bracket that is open before each token and after the last one, as its index; -1 without one. */
export function openBrackets(tokens: readonly Token[]): readonly number[] {
  const open = [-1];
  const around = tokens.map(({ kind }, index) => {
    const before = open.at(-1)!;
    if (/^[([{]$/.test(kind)) open.push(index);
    if (/^[)\]}]$/.test(kind) && open.length > 1) open.pop();
    return before;
  });
  return [...around, open.at(-1)!];
}

/** Whether a bracket is the parenthesis of a call. */
export function isCallAt(tokens: readonly Token[], bracket: number): boolean {
  const [name, opening] = [tokens[bracket - 1], tokens[bracket]];
  const isDirect = opening?.kind === '(' && name?.end === opening.start;
  return isDirect && (name.kind === 'word' || name.kind === 'string');
}

/** The call that is open after the tokens. */
export function callIn(tokens: readonly Token[]): CallAround | undefined {
  const around = openBrackets(tokens);
  const last = around.at(-1)!;
  const isInArray = tokens[last]?.kind === '[';
  const opening = isInArray ? around[last]! : last;
  if (!isCallAt(tokens, opening)) return undefined;
  const isOwn = (kind: Token['kind'], index: number): boolean =>
    tokens[index]!.kind === kind && around[index] === opening;
  const args = tokens.flatMap((_, index) => (isOwn('=', index) ? tokens[index - 1]!.value : []));
  const isNamed =
    tokens.findLastIndex((_, index) => isOwn('=', index)) >
    tokens.findLastIndex((_, index) => isOwn(',', index));
  return { name: tokens[opening - 1]!.text, args, argument: isNamed ? args.at(-1) : undefined, isInArray };
}
