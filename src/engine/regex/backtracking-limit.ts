import {
  ANY_CHARACTER,
  type CharacterSet,
  LINE_BREAKS,
  setOf,
  union,
} from '../../language/regex/character-set.ts';
import { type RegexNode, someNode } from '../../language/regex/regex-syntax.ts';

/** Maximum steps of one search: about a tenth of a second. */
const MAX_STEPS = 5_000_000;
/** Bounded repetitions are unrolled up to this count. */
const MAX_COPIES = 8;
/** Maximum number of paths through alternatives and optional parts, and of entries to one loop. */
const MAX_WAYS = 1000;

const NO_CHARACTER = setOf();

/** Consecutive loops that can match the same text. */
interface Run {
  /** Characters of the last loop, which must also match everything after it. */
  readonly set: CharacterSet;
  /** Number of loops: the time grows with the text length to this power. */
  readonly power: number;
}

/** The rule does not bound the time of this expression. */
class UnboundedError extends Error {}

/**
 * The text length up to which a backtracking engine is fast: `Infinity` if its time is linear, 0 if the rule doesn't
 * bound it.
 *
 * The rule: a repeated group must have a fixed length. Consecutive loops multiply the time by the text length if the
 * first can also match what the second matches and everything between them. The search for the start of the match is
 * such a loop.
 */
export function backtrackingLimit(root: RegexNode): number {
  try {
    const { power, ways } = new BacktrackingCost(root);
    return power <= 1 ? Number.POSITIVE_INFINITY : Math.floor((MAX_STEPS / ways) ** (1 / power));
  } catch (error) {
    if (error instanceof UnboundedError) return 0;
    throw error;
  }
}

class BacktrackingCost {
  power = 1;
  ways = 1;
  #openWays = 1;

  constructor(root: RegexNode) {
    this.#after(root, startOf(root));
  }

  /** The runs that are open after a node. */
  #after(node: RegexNode, runs: readonly Run[]): readonly Run[] {
    switch (node.kind) {
      case 'Set':
        return this.#behind(node.set, runs);
      case 'Sequence':
        return node.items.reduce((open, item) => this.#after(item, open), runs);
      case 'Group':
      case 'Atomic':
        return this.#after(node.body, runs);
      case 'Alternation':
        this.#openWays *= commonStarts(node.options);
        return distinct(node.options.flatMap((option) => this.#after(option, runs)));
      case 'Repeat':
        return this.#afterRepeat(node, runs);
      case 'Look': {
        // Look-behind reads what the loops before it have read, backwards.
        const isBackward = node.opening.startsWith('?<');
        const open = isBackward ? runs.map(({ power }) => ({ set: ANY_CHARACTER, power })) : runs;
        this.#backtrack(this.#after(node.body, open));
        return runs;
      }
      case 'Assertion':
        return this.#backtrack(runs);
      case 'Reference':
        return this.#behind(ANY_CHARACTER, runs);
    }
  }

  #afterRepeat({ body, min, max }: RegexNode & { kind: 'Repeat' }, runs: readonly Run[]): readonly Run[] {
    const set = setOfTurn(body);
    if (set !== undefined && (min === max || max > MAX_COPIES)) {
      const read = min === 0 ? runs : this.#behind(set, runs);
      // Each turn searches again.
      if (someNode(body, ({ kind }) => kind === 'Look'))
        this.#after(body, distinct([...runs, ...this.#afterLoop(set, runs)]));
      return min === max ? read : distinct([...(min === 0 ? runs : []), ...this.#afterLoop(set, runs)]);
    }
    if (max > MAX_COPIES) throw new UnboundedError();
    let open = runs;
    for (let copy = 0; copy < max; copy++) {
      const read = this.#after(body, open);
      open = copy < min ? read : distinct([...open, ...read]);
      if (copy >= min) this.#openWays *= 2;
    }
    return open;
  }

  #afterLoop(set: CharacterSet, runs: readonly Run[]): readonly Run[] {
    const longer = runs
      .filter((run) => overlap(run.set, set))
      .map(({ power }) => ({ set, power: power + 1 }));
    return [...longer, { set, power: 1 }];
  }

  /** The loops that can also match a character of `set`. */
  #behind(set: CharacterSet, runs: readonly Run[]): readonly Run[] {
    return this.#backtrack(runs).filter((run) => overlap(run.set, set));
  }

  /** Loops and choices cost time if something after them can fail. */
  #backtrack(runs: readonly Run[]): readonly Run[] {
    for (const { power } of runs) this.power = Math.max(this.power, power);
    this.ways = this.#openWays;
    if (this.ways > MAX_WAYS) throw new UnboundedError();
    return runs;
  }
}

/** Of several runs with the same loop, the slowest. */
function distinct(runs: readonly Run[]): readonly Run[] {
  const slowest = new Map<CharacterSet, Run>();
  for (const run of runs) {
    if (run.power > (slowest.get(run.set)?.power ?? 0)) slowest.set(run.set, run);
  }
  if (slowest.size > MAX_WAYS) throw new UnboundedError();
  return [...slowest.values()];
}

/** The search for the start of a match; `\A` allows one position, `^` the starts of lines. */
function startOf(root: RegexNode): readonly Run[] {
  const anchor = leadingAssertion(root);
  if (anchor === 'textStart') return [];
  const set = anchor === 'lineStart' ? LINE_BREAKS : ANY_CHARACTER;
  return [{ set, power: 1 }];
}

function leadingAssertion(node: RegexNode): string | undefined {
  if (node.kind === 'Assertion') return node.assertion;
  const [first] = node.kind === 'Sequence' ? node.items : node.kind === 'Group' ? [node.body] : [];
  return first && leadingAssertion(first);
}

/** The characters that a part matches, none if it has no length; `undefined` unless its length is fixed. */
function setOfTurn(node: RegexNode): CharacterSet | undefined {
  switch (node.kind) {
    case 'Set':
      return node.set;
    case 'Group':
      return setOfTurn(node.body);
    case 'Sequence': {
      const sets = node.items.map(setOfTurn).filter((set) => set !== NO_CHARACTER);
      if (!sets.every((set) => set !== undefined)) return undefined;
      if (sets.length <= 1) return sets[0] ?? NO_CHARACTER;
      return sets.some(isOpen) ? ANY_CHARACTER : union(sets);
    }
    case 'Look':
    case 'Assertion':
      return NO_CHARACTER;
    case 'Repeat':
      return node.min === node.max && node.min > 0 ? setOfTurn(node.body) : undefined;
    default:
      return undefined;
  }
}

/** The maximum number of alternatives that can start with the same character. */
function commonStarts(options: readonly RegexNode[]): number {
  const starts = options.map(firstSet);
  const changes = starts.flatMap(({ ranges }) =>
    ranges.flatMap(([from, to]) => [
      { at: from, by: 1 },
      { at: to + 1, by: -1 },
    ]),
  );
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let [most, current] = [0, 0];
  for (const { by } of changes) {
    current += by;
    most = Math.max(most, current);
  }
  return most + starts.filter(isOpen).length;
}

/** The characters that the match of a part can start with; any character for complex parts. */
export function firstSet(node: RegexNode): CharacterSet {
  switch (node.kind) {
    case 'Set':
      return node.set;
    case 'Group':
      return firstSet(node.body);
    case 'Sequence': {
      const first = node.items.find(({ kind }) => kind !== 'Look' && kind !== 'Assertion');
      return first === undefined ? ANY_CHARACTER : firstSet(first);
    }
    case 'Alternation': {
      const sets = node.options.map(firstSet);
      return sets.includes(ANY_CHARACTER) || sets.some(isOpen) ? ANY_CHARACTER : union(sets);
    }
    case 'Repeat':
      return node.min > 0 ? firstSet(node.body) : ANY_CHARACTER;
    default:
      return ANY_CHARACTER;
  }
}

/** Whether the set contains unknown characters, those of a Unicode property. */
function isOpen({ properties }: CharacterSet): boolean {
  return properties.length > 0;
}

function overlap(one: CharacterSet, other: CharacterSet): boolean {
  if (one === other || isOpen(one) || isOpen(other)) return true;
  return one.ranges.some(([from, to]) => other.ranges.some(([low, high]) => from <= high && low <= to));
}
