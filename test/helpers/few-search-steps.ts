import { beforeAll } from 'vitest';
import { SearchBudget } from '../../src/engine/run/search-budget.ts';

/** Gives regular expressions 1/40 of the steps per value in the tests beside this call, so that hostile ones end early. */
export function useFewSearchSteps(): void {
  beforeAll(() => {
    const all = SearchBudget.maxValueSteps;
    SearchBudget.maxValueSteps = all / 40;
    return () => {
      SearchBudget.maxValueSteps = all;
    };
  });
}
