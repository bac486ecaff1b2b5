import { defineConfig } from 'vitest/config';

const RELIABILITY = ['test/reliability/**/*.test.ts', 'test/transports/conformance/*.test.ts'];
const PACKAGE = 'test/{package,scripts}/*.test.ts';
/** These drive a browser. */
const BROWSER = 'test/browser/*.test.ts';
const MATRIX = 'test/package/matrix/*.test.ts';
/** What users read: these run programs from the docs and the examples. */
const PAGES = ['test/*.test.ts', 'test/docs/**/*.test.ts'];
/** These mock modules, or fake timers of parts that keep some for the life of the process. */
const ISOLATED = 'test/**/*.isolated.test.ts';

/** For tests that wait for programs, installations, and services that fail. */
const PATIENT = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 10 } },
  provide: { programDeadlineMs: 100_000 },
};

/** CONTRIBUTING.md says which project a test belongs to: its path decides. */
export default defineConfig({
  test: {
    // A server that the developer runs must not get the records of tests.
    env: { LOGCLIENT_DISCOVERY: 'off' },
    // Failure messages show the values that differ.
    chaiConfig: { truncateThreshold: 400 },
    // Transforms each file once for all projects, and once for all runs until it changes.
    experimental: { fsModuleCache: true },
    // Tests allocate much that dies soon: with a larger young generation, collecting it takes a tenth less CPU time. Most
    // code runs briefly: optimizing only what runs four times as long as usual takes another seventh less.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64', '--interrupt-budget=300000'],
    // Marks the failures of tests that ran while the machine was suspended; only those are retried. A process warning
    // fails its test.
    setupFiles: ['test/helpers/standstill.ts', 'test/helpers/process-warnings.ts'],
    retry: { count: 2, condition: /^The machine was suspended for / },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Shorter than a test, so that its failure says what was missing.
    expect: { poll: { timeout: 25_000, interval: 10 } },
    provide: { programDeadlineMs: 25_000 },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [ISOLATED, ...PAGES, ...RELIABILITY, PACKAGE, MATRIX, BROWSER],
          // Loads the source once per worker instead of once per file.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: [ISOLATED],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'pages',
          include: PAGES,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'reliability',
          include: RELIABILITY,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'package',
          include: [PACKAGE],
          globalSetup: 'test/package/packed-package.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'browser',
          include: [BROWSER],
          // Each look at a page costs several messages to the browser.
          expect: { poll: { timeout: 60_000, interval: 100 } },
          // One browser for all files.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 6 },
        },
      },
      {
        extends: true,
        test: {
          ...PATIENT,
          name: 'matrix',
          include: [MATRIX],
          globalSetup: 'test/package/packed-package.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
