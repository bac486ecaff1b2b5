import { shortenText } from '../../core/shorten-text.ts';
import { leftSteps, spendSteps } from './event-cost.ts';

/** Steps for a run, beyond those of its characters: about ten seconds. */
const MAX_RUN_STEPS = 400_000_000;
/** Steps for each character of a value. Most expressions need fewer, so they can search any number of values. */
const STEPS_PER_CHARACTER = 50;
const MAX_NAME_LENGTH = 80;

/** What to do about undecided values. */
export const SIMPLIFY = 'Use fewer nested or overlapping repetitions, or filter long values out first';

/** What the regular expressions of a run may cost, and the values that they left undecided. */
export class SearchBudget {
  /** Steps for one value: about 50 ms. Tests set fewer. */
  static maxValueSteps = 2_000_000;
  readonly #undecided = new Map<string, number>();
  #steps = MAX_RUN_STEPS;

  /** The number of steps at which a search must end. @param used steps of earlier searches in the same value */
  allow(length: number, used: number): number {
    if (used === 0) this.#steps = Math.min(MAX_RUN_STEPS, this.#steps + STEPS_PER_CHARACTER * length);
    return Math.min(SearchBudget.maxValueSteps, used + Math.min(this.#steps, leftSteps()));
  }

  spend(steps: number): void {
    this.#steps -= steps;
    spendSteps(steps);
  }

  /** Counts a value that an expression could not decide. */
  leaveUndecided(name: string): void {
    const shown = shortenText(name, MAX_NAME_LENGTH);
    this.#undecided.set(shown, (this.#undecided.get(shown) ?? 0) + 1);
  }

  /** The expressions that left values undecided. */
  get undecided(): ReadonlyMap<string, number> {
    return this.#undecided;
  }
}

/** What is missing in the result, given the expressions that left values undecided. */
export function undecidedWarnings(undecided: ReadonlyMap<string, number>): readonly string[] {
  return [...undecided].map(
    ([name, count]) =>
      `The result is incomplete: the regular expression ${name} needs too many steps for ${count} ${count === 1 ? 'value' : 'values'}. Filters drop such events, also if they are negated. ${SIMPLIFY}.`,
  );
}
