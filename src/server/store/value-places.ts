import { stringEnd } from '../../core/json-text.ts';
import { type BatchIndex, cut, flagged } from './batch-index.ts';
import type { FieldLayout } from './field-layout.ts';

/** Neighboring events are searched together: their number is 2 to this power. */
const BLOCK_BITS = 8;
const BLOCK = 1 << BLOCK_BITS;

interface Block {
  /** Index in `starts` of each event's first value. */
  readonly firsts: Uint32Array;
  /** Per event: the start of each value (odd: it contains escapes), and the end of the attributes. */
  readonly starts: Uint32Array;
  /** The place up to which these are known. */
  known: number;
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

  /** The value of an event. */
  valueAt(index: number, place: number, { pieces }: FieldLayout): string {
    const { firsts, starts } = this.#blockOf(index, place + 1);
    const at = firsts[index & (BLOCK - 1)]! + place;
    return cut(this.#text, starts[at]!, (starts[at + 1]! >>> 1) - pieces[place + 1]!.length);
  }

  #blockOf(index: number, place: number): Block {
    const number = index >>> BLOCK_BITS;
    const block = this.#blocks[number] ?? this.#openBlock(number * BLOCK);
    this.#blocks[number] = block;
    if (block.known < place) this.#findUpTo(block, number * BLOCK, place);
    return block;
  }

  #openBlock(start: number): Block {
    const { starts, layouts, layoutIds } = this.#index;
    const firsts = new Uint32Array(Math.min(BLOCK, starts.length - start));
    let count = 0;
    for (let event = 0; event < firsts.length; event++) {
      firsts[event] = count;
      count += layouts[layoutIds[start + event]!]!.pieces.length;
    }
    return { firsts, starts: new Uint32Array(count), known: 0 };
  }

  #findUpTo(block: Block, start: number, place: number): void {
    const { starts, layouts, layoutIds } = this.#index;
    for (let event = 0; event < block.firsts.length; event++) {
      const first = starts[start + event]!;
      const layout = layouts[layoutIds[start + event]!]!;
      if (block.known === 0) block.starts[block.firsts[event]!] = (first & ~1) + 2 * layout.pieces[0]!.length;
      findValues(this.#text, (first & 1) === 1, layout, block, event, place);
    }
    block.known = place;
  }
}

/** The text is known to be valid: a string ends at its next quote, another value where its following text starts. */
function findValues(
  text: string,
  hasEscapes: boolean,
  { pieces, isString }: FieldLayout,
  { firsts, starts, known }: Block,
  event: number,
  to: number,
): void {
  const first = firsts[event]!;
  const last = Math.min(to, isString.length);
  for (let place = known; place < last; place++) {
    const following = pieces[place + 1]!;
    const start = starts[first + place]! >>> 1;
    let end: number;
    if (!isString[place]) end = endOfLiteral(text, start, following);
    else if (!hasEscapes) end = text.indexOf('"', start);
    else {
      end = stringEnd(text, start - 1) - 1;
      starts[first + place] = flagged(start, text.slice(start, end).includes('\\'));
    }
    starts[first + place + 1] = flagged(end + following.length, false);
  }
}

const SPACE = 0x20;

/** A value ends before the text that follows it, or at the end of the line. */
function endOfLiteral(text: string, start: number, following: string): number {
  if (following !== '') return text.indexOf(following, start);
  let index = start;
  while (text.charCodeAt(index) > SPACE) index++;
  return index;
}
