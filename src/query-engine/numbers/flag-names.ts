import type { ArgumentType } from '../signature/argument-types.ts';
import { listOf, text } from '../signature/argument-types.ts';

/** A bit of a number, 0 for the lowest one, and what it is called. */
export interface NamedBit {
  readonly mask: bigint;
  readonly name: string;
}

const pair = listOf(text, 'strings');

/** `[[0, READ], [3, WRITE]]`; no bit and no name may occur twice. In the order of the bits, the lowest one first. */
export const namedBits: ArgumentType<readonly NamedBit[]> = {
  expects: 'an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]]',
  isList: false,
  read(node, scope) {
    if (node.kind !== 'Array') return undefined;
    const names = new Map<number, string>();
    for (const element of node.elements) {
      const [bit = '', name, ...more] = (element.kind === 'Array' && pair.read(element, scope)) || [];
      if (!/^(?:\d|[1-5]\d|6[0-3])$/.test(bit) || name === undefined || more.length > 0) return undefined;
      names.set(Number(bit), name);
    }
    const areUnique = names.size === node.elements.length && new Set(names.values()).size === names.size;
    if (!areUnique) return undefined;
    return [...names].sort(([a], [b]) => a - b).map(([bit, name]) => ({ mask: 1n << BigInt(bit), name }));
  },
};
