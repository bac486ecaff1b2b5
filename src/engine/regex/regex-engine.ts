import type { SearchBudget } from '../run/search-budget.ts';

/** The run that searches, which limits the cost. */
export interface SearchingRun {
  readonly searches: SearchBudget;
}

/** A search that is undecided, because it has spent its budget, returns `undefined`. */
export interface RegexEngine {
  /** Counts the text as read. */
  test(text: string, run?: SearchingRun): boolean | undefined;
  /** The first match at or after `from`. */
  exec(text: string, from: number, run?: SearchingRun): RegExpExecArray | null | undefined;
}
