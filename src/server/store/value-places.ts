import { type BatchIndex, flagged } from './batch-index.ts';
import type { FieldLayout } from './field-layout.ts';

/** Neighboring events are searched together: their number is 2 to this power. */
const BLOCK_BITS = 8;
const BLOCK = 1 << BLOCK_BITS;

interface Block {
  /** Index in `starts` of each event's first value. */
  readonly firsts: Uint32Array;
  /** Per event: the start of each value (odd: it contains escapes), and the end of the attributes. */
  readonly starts: Uint32Array;
}

/** The positions of values in the text of events, found on first use. */
export class ValuePlaces {
  readonly #text: string;
  readonly #index: BatchIndex;
  readonly #blocks: (Block | undefined)[] = [];

  constructor(text: string, index: BatchIndex) {
    this.#text = text;
    this.#index = index;
  }

  /** The start of an event's value, flagged if it contains escapes. */
  startOf(index: number, place: number): number {
    const { firsts, starts } = this.#blockOf(index);
    return starts[firsts[index & (BLOCK - 1)]! + place]!;
  }

  endOf(index: number, place: number, { pieces }: FieldLayout): number {
    return (this.startOf(index, place + 1) >>> 1) - pieces[place + 1]!.length;
  }

  #blockOf(index: number): Block {
    const number = index >>> BLOCK_BITS;
    this.#blocks[number] ??= this.#findBlock(number * BLOCK);
    return this.#blocks[number];
  }

  #findBlock(start: number): Block {
    const { starts, layouts, layoutIds } = this.#index;
    const end = Math.min(start + BLOCK, starts.length);
    const firsts = new Uint32Array(end - start);
    let count = 0;
    for (let index = start; index < end; index++) {
      firsts[index - start] = count;
      count += layouts[layoutIds[index]!]!.pieces.length;
    }
    const places = new Uint32Array(count);
    for (let index = start; index < end; index++) {
      const into = places.subarray(firsts[index - start]);
      findValues(this.#text, starts[index]!, layouts[layoutIds[index]!]!, into);
    }
    return { firsts, starts: places };
  }
}

/** The text is known to be valid: a string ends at its next quote, another value where the member ends. */
function findValues(
  text: string,
  flaggedStart: number,
  { pieces, isString, isJson }: FieldLayout,
  into: Uint32Array,
): void {
  const hasEscapes = (flaggedStart & 1) === 1;
  let at = flaggedStart >>> 1;
  for (let place = 0; place < isString.length; place++) {
    at += pieces[place]!.length;
    const start = at;
    let isEscaped = false;
    if (!isString[place]) at = endOfLiteral(text, at, isJson);
    else if (!hasEscapes) at = text.indexOf('"', at);
    else {
      at = endOfString(text, at);
      isEscaped = text.slice(start, at).includes('\\');
    }
    into[place] = flagged(start, isEscaped);
  }
  into[isString.length] = flagged(at + pieces[isString.length]!.length, false);
}

const [SPACE, COMMA, BACKSLASH, END_ARRAY, END_OBJECT] = [0x20, 0x2c, 0x5c, 0x5d, 0x7d];

function endOfLiteral(text: string, start: number, isJson: boolean): number {
  for (let index = start; ; index++) {
    const code = text.charCodeAt(index);
    if (isJson ? code === COMMA || code === END_OBJECT || code === END_ARRAY : !(code > SPACE)) return index;
  }
}

/** The closing quote of the string whose characters start at `start`; -1 if there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  for (; end !== -1; end = text.indexOf('"', end + 1)) {
    let backslash = end;
    while (backslash > start && text.charCodeAt(backslash - 1) === BACKSLASH) backslash--;
    if ((end - backslash) % 2 === 0) break;
  }
  return end;
}
