import { idOf } from '../aggregates/groups.ts';
import { hasAllFields } from '../aggregates/result-rows.ts';
import { type Fields, readField } from '../event.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';
import type { SearchStep } from './correlation-plan.ts';

/** An event that one of the queries has found. */
export interface Candidate {
  /** Identifies the event. */
  readonly serial: number;
  readonly row: Fields;
  readonly time: number;
  /** Sort keys for `sequence`; later ones break ties. */
  readonly ranks: readonly number[];
}

export interface CorrelationRules {
  readonly order: readonly SearchStep[];
  /** Fields that must have the same value in all events. */
  readonly globalConstraints: readonly string[];
  /** Whether events must occur in the order of the queries. */
  readonly sequence: boolean;
  /** Tolerance for events that are out of order. */
  readonly jitterTolerance: number | undefined;
  /** Maximum distance between the first and the last event of a match. */
  readonly within: number | undefined;
  readonly maxPerRoot: number;
  readonly includeMatchesOnceOnly: boolean;
}

/** The search stops after this many events. */
const MAX_TRIES = 2_000_000;
/** Events per slice. */
const TRIES_PER_STEP = 2000;

/** Finds combinations of one event per query that satisfy the rules. Runs once. */
export class CorrelationSearch {
  readonly #rules: CorrelationRules;
  readonly #candidates: readonly (readonly Candidate[])[];
  /** The candidates of each step, indexed by the values of their links. */
  readonly #indexes: ReadonlyMap<string | undefined, readonly Candidate[]>[] = [];
  readonly #used = new Set<number>();
  readonly #match: (Candidate | undefined)[];
  readonly #found: (readonly Candidate[])[] = [];
  #tries = 0;

  /** @param candidates per query, oldest first. */
  constructor(rules: CorrelationRules, candidates: readonly (readonly Candidate[])[]) {
    this.#rules = rules;
    this.#candidates = candidates;
    this.#match = candidates.map(() => undefined);
  }

  /** The matches ordered by their root, oldest first; each has its events in the order of the queries. */
  *run(): SlicedWork<{ readonly matches: readonly (readonly Candidate[])[]; readonly isComplete: boolean }> {
    const [root] = this.#rules.order;
    for (const step of this.#rules.order) this.#indexes.push(yield* this.#index(step));
    let nextYield = TRIES_PER_STEP;
    for (const candidate of this.#candidates[root?.query ?? 0] ?? []) {
      this.#try(0, candidate, this.#found.length);
      if (this.#tries > MAX_TRIES) break;
      if (this.#tries < nextYield) continue;
      nextYield = this.#tries + TRIES_PER_STEP;
      yield;
    }
    return { matches: this.#found, isComplete: this.#tries <= MAX_TRIES };
  }

  /** @returns true once the root has its maximum number of matches. */
  #try(depth: number, candidate: Candidate, before: number): boolean {
    const { order, maxPerRoot } = this.#rules;
    const { query } = order[depth]!;
    this.#tries += 1;
    if (this.#tries > MAX_TRIES) return true;
    if (!this.#fits(query, candidate)) return false;
    this.#match[query] = candidate;
    const isDone =
      depth + 1 === order.length ? this.#accept(before, maxPerRoot) : this.#descend(depth + 1, before);
    this.#match[query] = undefined;
    return isDone;
  }

  #descend(depth: number, before: number): boolean {
    const step = this.#rules.order[depth]!;
    const key = idOf([
      ...step.links.map(({ other, otherField }) => readField(this.#match[other]!.row, otherField)),
      ...this.#globalValues(),
    ]);
    for (const candidate of this.#indexes[depth]?.get(key) ?? []) {
      if (this.#try(depth, candidate, before)) return true;
    }
    return false;
  }

  #accept(before: number, maxPerRoot: number): boolean {
    const match = this.#match.map((candidate) => candidate!);
    this.#found.push(match);
    const onlyOnce = this.#rules.includeMatchesOnceOnly;
    if (onlyOnce) for (const { serial } of match) this.#used.add(serial);
    // An event that may be used only once can't be the root of a second match either.
    return onlyOnce || this.#found.length - before >= maxPerRoot;
  }

  #fits(query: number, candidate: Candidate): boolean {
    const { sequence, jitterTolerance, within = Number.POSITIVE_INFINITY } = this.#rules;
    if (this.#used.has(candidate.serial)) return false;
    for (const [index, other] of this.#match.entries()) {
      if (other === undefined) continue;
      if (other.serial === candidate.serial) return false;
      if (Math.abs(other.time - candidate.time) > within) return false;
      if (!sequence) continue;
      const [earlier, later] = index < query ? [other, candidate] : [candidate, other];
      if (comesAfter(earlier.ranks, later.ranks, jitterTolerance)) return false;
    }
    return true;
  }

  #globalValues(): (string | undefined)[] {
    const root = this.#match[this.#rules.order[0]!.query]!;
    return this.#rules.globalConstraints.map((name) => readField(root.row, name));
  }

  *#index({ query, links }: SearchStep): SlicedWork<ReadonlyMap<string | undefined, readonly Candidate[]>> {
    const fields = [...links.map(({ field }) => field), ...this.#rules.globalConstraints];
    const index = new Map<string | undefined, Candidate[]>();
    for (const [position, candidate] of (this.#candidates[query] ?? []).entries()) {
      if (position % ITEMS_PER_STEP === 0) yield;
      if (!hasAllFields(candidate.row, fields)) continue;
      const key = idOf(fields.map((name) => readField(candidate.row, name)));
      const known = index.get(key);
      if (known === undefined) index.set(key, [candidate]);
      else known.push(candidate);
    }
    return index;
  }
}

/** Whether two events are out of order. The tolerance applies to the first rank, which is usually a time. */
function comesAfter(ours: readonly number[], theirs: readonly number[], jitter = 0): boolean {
  for (const [index, rank] of ours.entries()) {
    const distance = rank - theirs[index]! - (index === 0 ? jitter : 0);
    if (distance !== 0) return distance > 0;
  }
  return false;
}
