import { FieldLayout } from '../store/field-layout.ts';
import { type Container, type Reached, readPiece } from './json-piece.ts';
import { startsLiteral } from './json-tokens.ts';
import { ownText } from './own-text.ts';

/** Objects of more values are for the service's limits to deal with. */
export const MAX_FIELDS = 900;
/** Objects without a common form, such as those with ids for names, are not worth learning. */
const MAX_PLACES = 20_000;
/** How many ways to go on are tried before the text is read instead. */
const MAX_TRIED = 8;
/** How many ways to go on are remembered. */
const MAX_KNOWN = 64;

/** A place where a value begins or the object ends, reached from the value before by a piece of text. */
export class Place {
  /** The text between the two values. */
  readonly piece: string;
  /** Whether the value is a string: then the piece ends in its quotation mark, and the next one begins with one. */
  readonly isString: boolean;
  /** At the end: what is known of the whole object. */
  readonly shape: FieldLayout | undefined;
  readonly container: Container | undefined;
  readonly name: string;
  readonly before: Place | undefined;
  /** How many values there are up to here. */
  readonly count: number;
  /** Where it has gone on from here, the latest first. */
  readonly next: Place[] = [];

  constructor(piece: string, reached?: Reached, before?: Place, shape?: FieldLayout) {
    this.piece = piece;
    this.isString = piece.endsWith('"');
    this.shape = shape;
    this.container = reached?.container;
    this.name = reached?.name ?? '';
    this.before = before;
    this.count = before === undefined ? 0 : before.count + 1;
  }
}

/**
 * Reads JSON objects of the same few forms. What stands between two values is looked at closely when it comes for the
 * first time; from then on it is only compared.
 *
 * Only objects as `JSON.stringify` writes them are read, and only those that make one field of each value.
 */
export class ShapeTrie {
  #start = new Place('');
  #places = 0;

  /** Where every object begins. */
  start(): Place {
    if (this.#places > MAX_PLACES) {
      this.#start = new Place('');
      this.#places = 0;
    }
    return this.#start;
  }

  /** The place that the text leads to from the end of the value at `place`; `undefined` for anything unusual. */
  after(place: Place, text: string, at: number): Place | undefined {
    const { next } = place;
    const tried = Math.min(next.length, MAX_TRIED);
    for (let index = 0; index < tried; index++) {
      const candidate = next[index]!;
      if (leadsTo(candidate, text, at)) return candidate;
    }
    return this.#learn(place, text, at);
  }

  #learn(place: Place, text: string, at: number): Place | undefined {
    const { container, isString } = place;
    const reached = readPiece(text, at, {
      container,
      isAfterString: isString,
      isStart: place.before === undefined,
    });
    if (reached === undefined) return undefined;
    const piece = ownText(text.slice(at, reached.end));
    const known = place.next.findIndex((candidate) => candidate.piece === piece);
    const [found = makePlace(place, piece, reached)] = known === -1 ? [] : place.next.splice(known, 1);
    if (found === undefined) return undefined;
    if (known === -1) this.#places++;
    if (place.next.unshift(found) > MAX_KNOWN) place.next.pop();
    return found;
  }
}

function leadsTo({ piece, isString, shape }: Place, text: string, at: number): boolean {
  if (!text.startsWith(piece, at)) return false;
  // `,"a":[` may go on with another array, or with the end of this one.
  return isString || shape !== undefined || startsLiteral(text, at + piece.length);
}

function makePlace(before: Place, piece: string, reached: Reached): Place | undefined {
  if (reached.container !== undefined) {
    return before.count < MAX_FIELDS ? new Place(piece, reached, before) : undefined;
  }
  const shape = shapeOf(before, piece);
  return shape && new Place(piece, reached, undefined, shape);
}

/** `undefined` when two values have the same name. */
function shapeOf(last: Place, end: string): FieldLayout | undefined {
  const names: string[] = [];
  const isString: boolean[] = [];
  const pieces = [end];
  for (let place: Place | undefined = last; place?.before !== undefined; place = place.before) {
    names.unshift(place.name);
    isString.unshift(place.isString);
    pieces.unshift(place.piece);
  }
  return new Set(names).size === names.length ? new FieldLayout(names, isString, pieces) : undefined;
}
