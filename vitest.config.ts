import { defineConfig } from 'vitest/config';

/** These leave nothing behind, so the package is loaded once for all of them. */
const TOGETHER = [
  // That one looks at what is loaded.
  'test/query-engine/!(regex-safety).test.ts',
  'test/query-language/**/*.test.ts',
  // That one puts something in the place of a module, which others may have loaded.
  'test/local-server/!(live-queries).test.ts',
  'test/client/**/*.test.ts',
  'test/query/**/*.test.ts',
  'test/tail/!(tail-restarts|tail-resources).test.ts',
  'test/cli/!(serve).test.ts',
  'test/types/**/*.test.ts',
  // These run programs.
  'test/docs/!(pages|query*|maintenance|testing|local-server).test.ts',
  'test/testing/**/*.test.ts',
];

/** Programs that end, crash and are killed, workers that die, services that fail: minutes of waiting, for `npm run test:reliability`. */
const RELIABILITY = [
  'test/reliability/**/*.test.ts',
  'test/transports/process-end.test.ts',
  'test/transports/process-end-cases.test.ts',
  'test/transports/block-at-end.test.ts',
  'test/transports/pino-flush.test.ts',
  'test/transports/held-back.test.ts',
  'test/transports/worker-death.test.ts',
  'test/transports/workers.test.ts',
  'test/transports/delivery-events.test.ts',
  'test/transports/odd-values.test.ts',
  'test/ingest/spool/spool-damage.test.ts',
  'test/ingest/spool/spool-kill.test.ts',
  'test/tail/tail-restarts.test.ts',
  'test/tail/tail-resources.test.ts',
  'test/end-to-end/**/*.test.ts',
];

/** The packed tarball, as others install, bundle and compile it, and the scripts beside it, for `npm run test:package`. */
const PACKAGE = ['test/package/*.test.ts', 'test/scripts/*.test.ts'];

/** The same under other compilers and runtimes, which are installed first. */
const MATRIX = ['test/package/matrix/*.test.ts'];

export default defineConfig({
  test: {
    // A failure says which values differ.
    chaiConfig: { truncateThreshold: 400 },
    // What the setup file says of a test that failed while the machine stood still.
    setupFiles: ['test/helpers/standstill.ts'],
    retry: { count: 2, condition: /^The machine stood still for / },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...TOGETHER, ...RELIABILITY, ...PACKAGE, ...MATRIX],
          // Most of these wait for processes and for time to pass, more than they compute.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'reliability', include: RELIABILITY, maxWorkers: 3, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        test: { name: 'package', include: PACKAGE, maxWorkers: 2, sequence: { groupOrder: 3 } },
      },
      {
        extends: true,
        test: { name: 'matrix', include: MATRIX, maxWorkers: 1, sequence: { groupOrder: 4 } },
      },
    ],
  },
});
