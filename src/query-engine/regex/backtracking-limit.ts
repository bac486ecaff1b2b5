import { ANY_CHARACTER, type CharacterSet, LINE_BREAKS, union } from './character-set.ts';
import type { RegexNode } from './regex-syntax.ts';

/** Steps that one search may cost: about a tenth of a second. */
const MAX_STEPS = 5_000_000;
/** Bounded repetitions up to here are written out. */
const MAX_COPIES = 8;
/** Ways through alternatives and optional parts, and places that one loop can be entered from. */
const MAX_WAYS = 1000;

/** Loops in a row that can share out the same text among them. */
interface Run {
  /** Characters of the last loop, which also has to match everything after it. */
  readonly set: CharacterSet;
  /** Number of loops: the power of the text length with which the time grows. */
  readonly power: number;
  /** Product of the lengths of what separates the loops. Longer separators leave fewer ways to share. */
  readonly scale: number;
  /** Characters since the last loop. */
  readonly separator: number;
}

/** The rule does not bound the time of an expression. */
class UnboundedError extends Error {}

/**
 * Length of text up to which a backtracking engine is fast: `Infinity` if its time grows in proportion to the text, 0
 * if the rule doesn't bound it.
 *
 * The rule: a repeated group must have a fixed length. Loops that follow each other multiply the time by the length of
 * the text if the first can also match what the second matches and everything between them. The search for the start
 * of the match is such a loop.
 */
export function backtrackingLimit(root: RegexNode): number {
  try {
    const { power, scale, ways } = new BacktrackingCost(root);
    return power <= 1 ? Number.POSITIVE_INFINITY : Math.floor(((MAX_STEPS * scale) / ways) ** (1 / power));
  } catch (error) {
    if (error instanceof UnboundedError) return 0;
    throw error;
  }
}

class BacktrackingCost {
  power = 1;
  scale = 1;
  ways = 1;

  constructor(root: RegexNode) {
    this.#after(withoutLastLoop(root), startOf(root));
  }

  /** The runs that are open after a node. */
  #after(node: RegexNode, runs: readonly Run[]): readonly Run[] {
    switch (node.kind) {
      case 'Set':
        return behind(node.set, 1, runs);
      case 'Sequence':
        return node.items.reduce((open, item) => this.#after(item, open), runs);
      case 'Group':
      case 'Atomic':
        return this.#after(node.body, runs);
      case 'Alternation':
        this.#multiplyWays(commonStarts(node.options));
        return distinct(node.options.flatMap((option) => this.#after(option, runs)));
      case 'Repeat':
        return this.#afterRepeat(node, runs);
      case 'Look':
        this.#after(node.body, runs);
        return runs;
      case 'Assertion':
        return runs;
      case 'Reference':
        return behind(ANY_CHARACTER, 1, runs);
    }
  }

  #afterRepeat({ body, min, max }: RegexNode & { kind: 'Repeat' }, runs: readonly Run[]): readonly Run[] {
    const turn = fixedTurn(body);
    if (turn !== undefined && (min === max || max > MAX_COPIES)) {
      const length = turn.length * min;
      const read = min === 0 ? runs : behind(turn.set, length, runs);
      return min === max ? read : distinct([...(min === 0 ? runs : []), ...this.#afterLoop(turn.set, runs)]);
    }
    if (max > MAX_COPIES) throw new UnboundedError();
    let open = runs;
    for (let copy = 0; copy < max; copy++) {
      const read = this.#after(body, open);
      open = copy < min ? read : distinct([...open, ...read]);
      if (copy >= min) this.#multiplyWays(2);
    }
    return open;
  }

  #afterLoop(set: CharacterSet, runs: readonly Run[]): readonly Run[] {
    const longer = runs
      .filter((run) => overlap(run.set, set))
      .map((run) => ({ set, power: run.power + 1, scale: run.scale * (run.separator + 1), separator: 0 }));
    for (const { power, scale } of longer) {
      if (power > this.power || (power === this.power && scale < this.scale)) {
        this.power = power;
        this.scale = scale;
      }
    }
    return [...longer, { set, power: 1, scale: 1, separator: 0 }];
  }

  #multiplyWays(factor: number): void {
    this.ways *= factor;
    if (this.ways > MAX_WAYS) throw new UnboundedError();
  }
}

/** The loops that can also match a character of `set`. */
function behind(set: CharacterSet, length: number, runs: readonly Run[]): readonly Run[] {
  return runs
    .filter((run) => overlap(run.set, set))
    .map((run) => ({ ...run, separator: run.separator + length }));
}

/** Of several runs with the same loop, the slowest. */
function distinct(runs: readonly Run[]): readonly Run[] {
  const slowest = new Map<CharacterSet, Run>();
  for (const run of runs) {
    const known = slowest.get(run.set);
    if (known === undefined || isSlower(run, known)) slowest.set(run.set, run);
  }
  if (slowest.size > MAX_WAYS) throw new UnboundedError();
  return [...slowest.values()];
}

function isSlower(run: Run, other: Run): boolean {
  if (run.power !== other.power) return run.power > other.power;
  return run.scale * (run.separator + 1) < other.scale * (other.separator + 1);
}

/** The search for the start of a match; `\A` leaves one place, `^` the starts of lines. */
function startOf(root: RegexNode): readonly Run[] {
  const anchor = leadingAssertion(root);
  if (anchor === 'textStart') return [];
  const set = anchor === 'lineStart' ? LINE_BREAKS : ANY_CHARACTER;
  return [{ set, power: 1, scale: 1, separator: 0 }];
}

function leadingAssertion(node: RegexNode): string | undefined {
  switch (node.kind) {
    case 'Assertion':
      return node.assertion;
    case 'Sequence':
      return node.items[0] && leadingAssertion(node.items[0]);
    case 'Group':
      return leadingAssertion(node.body);
    default:
      return undefined;
  }
}

/** A loop at the end never has to give anything back. */
function withoutLastLoop(node: RegexNode): RegexNode {
  switch (node.kind) {
    case 'Repeat':
      return fixedTurn(node.body) === undefined ? node : { ...node, max: node.min };
    case 'Group':
      return { ...node, body: withoutLastLoop(node.body) };
    case 'Sequence':
      return {
        ...node,
        items: node.items.map((item, index) =>
          index === node.items.length - 1 ? withoutLastLoop(item) : item,
        ),
      };
    case 'Alternation':
      return { ...node, options: node.options.map(withoutLastLoop) };
    default:
      return node;
  }
}

/** What a part matches if there is only one way to match it. */
function fixedTurn(node: RegexNode): { readonly set: CharacterSet; readonly length: number } | undefined {
  switch (node.kind) {
    case 'Set':
      return { set: node.set, length: 1 };
    case 'Group':
      return fixedTurn(node.body);
    case 'Sequence': {
      const items = node.items.map(fixedTurn);
      if (items.length === 0 || items.includes(undefined)) return undefined;
      return items.reduce((all, item) => joined(all!, item!));
    }
    case 'Repeat': {
      const turn = node.min === node.max && node.min > 0 ? fixedTurn(node.body) : undefined;
      return turn && { set: turn.set, length: turn.length * node.min };
    }
    default:
      return undefined;
  }
}

function joined(
  left: { readonly set: CharacterSet; readonly length: number },
  right: { readonly set: CharacterSet; readonly length: number },
): { readonly set: CharacterSet; readonly length: number } {
  const sets = [left.set, right.set];
  const set = sets.some(isOpen) ? ANY_CHARACTER : union(sets);
  return { set, length: left.length + right.length };
}

/** How many alternatives can start with the same character, at most. */
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

/** The characters that a part can start with; any if it is not a plain one. */
function firstSet(node: RegexNode): CharacterSet {
  switch (node.kind) {
    case 'Set':
      return node.set;
    case 'Group':
      return firstSet(node.body);
    case 'Sequence':
      return node.items[0] === undefined ? ANY_CHARACTER : firstSet(node.items[0]);
    case 'Repeat':
      return node.min > 0 ? firstSet(node.body) : ANY_CHARACTER;
    default:
      return ANY_CHARACTER;
  }
}

/** Whether the characters of a set are unknown: those of a Unicode property. */
function isOpen({ properties }: CharacterSet): boolean {
  return properties.length > 0;
}

function overlap(one: CharacterSet, other: CharacterSet): boolean {
  if (one === other || isOpen(one) || isOpen(other)) return true;
  return one.ranges.some(([from, to]) => other.ranges.some(([low, high]) => from <= high && low <= to));
}
