import type { CharacterSet } from './character-set.ts';
import { componentsOf } from './components.ts';
import { type PositionAutomaton, positionAutomaton, TooLargeError } from './position-automaton.ts';
import { type RegexNode, someNode } from './regex-syntax.ts';

/** How many steps of an engine with backtracking one text may take: some hundredths of a second. */
const MAX_STEPS = 20_000_000;
/** How many parts may be optional before their combinations are looked at. */
const MAX_OPTIONAL = 6;
/** How much work the examination of one expression may be. */
const MAX_EXAMINED = 25_000;

/**
 * Up to which length of text an engine with backtracking is sure to search in a moment: 0 when an expression can take
 * exponential time, infinite when its time grows with the length alone.
 *
 * A search that fails walks every path through the expression. Several paths that read the same text exist where a
 * loop can be left for the next one at any of many places; each such pair of loops in a chain multiplies the time by
 * the length. Two ways around one loop double it with each character.
 */
export function harmlessLength(root: RegexNode): number {
  if (hasFewWays(root)) return Number.POSITIVE_INFINITY;
  try {
    const automaton = positionAutomaton(root);
    return automaton.hasEmptyCopies ? 0 : new CostExamination(automaton).harmlessLength();
  } catch (error) {
    if (error instanceof TooLargeError) return 0;
    throw error;
  }
}

/** Lists of words can be very long, and are harmless. */
function hasFewWays(root: RegexNode): boolean {
  let optional = 0;
  const isMore = (node: RegexNode): boolean =>
    node.kind === 'Repeat' && (node.max > 1 || ++optional > MAX_OPTIONAL);
  return !someNode(root, isMore);
}

/** Loops that trade characters with the next one: how many pairs there are, and how long the traded texts are. */
interface Chain {
  readonly pairs: number;
  /** The product of their lengths. */
  readonly lengths: number;
}

class CostExamination {
  readonly #graph: number[][];
  readonly #isDouble: (from: number, to: number) => boolean;
  readonly #masks: readonly bigint[];
  #examined = 0;

  constructor(automaton: PositionAutomaton) {
    const settled = settledStates(automaton);
    // From where nothing can fail any more, there is no way back.
    this.#graph = automaton.successors.map((ways, state) => (settled.has(state) ? [] : [...ways.keys()]));
    this.#isDouble = (from, to) => (automaton.successors[from]!.get(to) ?? 0) > 1;
    this.#masks = masksOf(automaton.sets);
  }

  harmlessLength(): number {
    const loops = componentsOf(this.#graph).filter(
      ([first = 0, ...others]) => others.length > 0 || this.#graph[first]!.includes(first),
    );
    if (loops.some((loop) => this.#isExponential(loop))) return 0;
    const { pairs, lengths } = longest(this.#chains(loops));
    return pairs === 0 ? Number.POSITIVE_INFINITY : Math.floor((MAX_STEPS * lengths) ** (1 / (pairs + 1)));
  }

  /** Whether the same text leads around a loop in two ways. */
  #isExponential(loop: readonly number[]): boolean {
    const within = this.#within(loop);
    const isDouble = loop.some((from) => within[from]!.some((to) => this.#isDouble(from, to)));
    if (isDouble) return true;
    if (loop.length === 1) return false;
    // Two walkers that read the same: once apart, they must not meet again.
    const size = this.#graph.length;
    const seen = new Set<number>();
    const queue: number[] = [];
    for (const state of loop) this.#walkApart(within, state, state, (one, other) => add(one, other));
    for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
      let meet = false;
      this.#walkTogether(within, Math.floor(pair / size), pair % size, (one, other) => {
        if (one === other) meet = true;
        else add(one, other);
      });
      if (meet) return true;
    }
    return false;

    function add(one: number, other: number): void {
      const pair = one * size + other;
      if (seen.has(pair)) return;
      seen.add(pair);
      queue.push(pair);
    }
  }

  /** The edges that stay inside a loop. */
  #within(loop: readonly number[]): number[][] {
    const members = new Set(loop);
    return this.#graph.map((successors, state) =>
      members.has(state) ? successors.filter((next) => members.has(next)) : [],
    );
  }

  #walkApart(
    graph: number[][],
    one: number,
    other: number,
    found: (one: number, other: number) => void,
  ): void {
    this.#walkTogether(graph, one, other, (left, right) => {
      if (left < right) found(left, right);
    });
  }

  #walkTogether(
    graph: number[][],
    one: number,
    other: number,
    found: (one: number, other: number) => void,
  ): void {
    for (const left of graph[one]!) {
      for (const right of graph[other]!) {
        this.#examine();
        if ((this.#masks[left]! & this.#masks[right]!) !== 0n) found(left, right);
      }
    }
  }

  /** The longest chain that begins at each loop or after it. */
  #chains(loops: readonly (readonly number[])[]): Chain[] {
    const chains: Chain[] = [];
    // What can be reached from a loop comes before it.
    for (const [index, loop] of loops.entries()) {
      const reachable = this.#reachableFrom(loop[0]!);
      const candidates: Chain[] = [{ pairs: 0, lengths: 1 }];
      for (const [later, next] of loops.slice(0, index).entries()) {
        if (!reachable.has(next[0]!)) continue;
        const chain = chains[later]!;
        candidates.push(chain);
        const length = this.#tradedLength(loop, next);
        if (length !== undefined)
          candidates.push({ pairs: chain.pairs + 1, lengths: chain.lengths * length });
      }
      chains.push(longest(candidates));
    }
    return chains;
  }

  #reachableFrom(start: number): ReadonlySet<number> {
    const seen = new Set([start]);
    for (const state of seen) for (const next of this.#graph[state]!) seen.add(next);
    return seen;
  }

  /** The length of the shortest text that leads around one loop, from it to the other, and around that. */
  #tradedLength(loop: readonly number[], next: readonly number[]): number | undefined {
    let shortest: number | undefined;
    const [inLoop, inNext] = [this.#within(loop), this.#within(next)];
    for (const from of loop) {
      for (const to of next) {
        const length = this.#tradedBetween(inLoop, inNext, from, to);
        if (length !== undefined && (shortest === undefined || length < shortest)) shortest = length;
      }
    }
    return shortest;
  }

  /** Three walkers read the same: one stays in the first loop, one goes from it to the second, one stays there. */
  #tradedBetween(inLoop: number[][], inNext: number[][], from: number, to: number): number | undefined {
    const size = this.#graph.length;
    const seen = new Set<number>();
    let front: (readonly [number, number, number])[] = [[from, from, to]];
    for (let length = 1; front.length > 0; length++) {
      const following: (readonly [number, number, number])[] = [];
      for (const [first, middle, last] of front) {
        for (const middleNext of this.#graph[middle]!) {
          for (const firstNext of inLoop[first]!) {
            const common = this.#masks[middleNext]! & this.#masks[firstNext]!;
            this.#examine();
            if (common === 0n) continue;
            for (const lastNext of inNext[last]!) {
              this.#examine();
              if ((common & this.#masks[lastNext]!) === 0n) continue;
              if (firstNext === from && middleNext === to && lastNext === to) return length;
              const key = (firstNext * size + middleNext) * size + lastNext;
              if (seen.has(key)) continue;
              seen.add(key);
              following.push([firstNext, middleNext, lastNext]);
            }
          }
        }
      }
      front = following;
    }
    return undefined;
  }

  #examine(): void {
    if (++this.#examined > MAX_EXAMINED) throw new TooLargeError();
  }
}

function longest(chains: readonly Chain[]): Chain {
  return chains.reduce(
    (best, chain) =>
      chain.pairs > best.pairs || (chain.pairs === best.pairs && chain.lengths < best.lengths) ? chain : best,
    { pairs: 0, lengths: 1 },
  );
}

/** The states from which only accepting ones can be reached. */
function settledStates({ successors, accepting }: PositionAutomaton): ReadonlySet<number> {
  const unsettled = new Set<number>();
  for (const state of successors.keys()) if (!accepting.has(state)) unsettled.add(state);
  for (let before = -1; before < unsettled.size; ) {
    before = unsettled.size;
    for (const [state, ways] of successors.entries()) {
      if (!unsettled.has(state) && [...ways.keys()].some((next) => unsettled.has(next))) unsettled.add(state);
    }
  }
  return new Set([...successors.keys()].filter((state) => !unsettled.has(state)));
}

/** Sets as bits, one for each stretch of characters that no set tells apart. A property could be anything. */
function masksOf(sets: readonly CharacterSet[]): bigint[] {
  const ranges = sets.map((set) => (set.properties.length > 0 ? [[0, 0x10ffff] as const] : set.ranges));
  const bounds = [...new Set(ranges.flatMap((set) => set.flatMap(([from, to]) => [from, to + 1])))];
  bounds.sort((a, b) => a - b);
  return ranges.map((set) =>
    set.reduce((mask, [from, to]) => {
      const [low, high] = [bounds.indexOf(from), bounds.indexOf(to + 1)];
      return mask | (((1n << BigInt(high - low)) - 1n) << BigInt(low));
    }, 0n),
  );
}
