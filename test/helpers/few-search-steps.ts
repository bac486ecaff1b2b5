import { afterAll, beforeAll } from 'vitest';
import { SearchBudget } from '../../src/engine/run/search-budget.ts';

/** Gives regular expressions 1/40 of the steps per value in the tests beside this call, so that hostile ones end early. */
export function useFewSearchSteps(): void {
  const all = SearchBudget.maxValueSteps;
  beforeAll(() => void (SearchBudget.maxValueSteps = all / 40));
  afterAll(() => void (SearchBudget.maxValueSteps = all));
}
