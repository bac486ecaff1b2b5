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

interface Frame {
  readonly kind: 'call' | '(' | '[' | '{';
  readonly name: string;
  readonly args: string[];
  argument: string | undefined;
}

/** The call that is open after the tokens. */
export function callIn(tokens: readonly Token[]): CallAround | undefined {
  const open: Frame[] = [];
  for (const [index, { kind, start }] of tokens.entries()) {
    const before = tokens[index - 1];
    const frame = open.at(-1);
    if (kind === '(' || kind === '[' || kind === '{') {
      const isCall = kind === '(' && before?.kind === 'word' && before.end === start;
      open.push({ kind: isCall ? 'call' : kind, name: before?.text ?? '', args: [], argument: undefined });
    } else if (kind === ')' || kind === ']' || kind === '}') open.pop();
    else if (frame?.kind === 'call' && kind === '=' && before !== undefined) {
      frame.args.push(before.value);
      frame.argument = before.value;
    } else if (frame?.kind === 'call' && kind === ',') frame.argument = undefined;
  }
  const last = open.at(-1);
  const isInArray = last?.kind === '[';
  const call = isInArray ? open.at(-2) : last;
  if (call?.kind !== 'call') return undefined;
  return { name: call.name, args: call.args, argument: call.argument, isInArray };
}
