import { defineConfig } from 'vitest/config';

/** Nothing but functions of the package, which can't get in each other's way: loaded once for all of them. */
const PURE = ['test/query-engine/**/*.test.ts', 'test/query-language/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: PURE, isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: PURE,
          // Most of these wait for processes and for time to pass, more than they compute.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
