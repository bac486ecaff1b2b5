import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    pino: 'transports/pino/index.ts',
    winston: 'transports/winston/index.ts',
    'pino-worker': 'transports/pino/pino-worker.ts',
    'winston-worker': 'transports/winston/worker.ts',
    'local-server': 'src/local-server/index.ts',
    'line-query': 'src/local-server/line-query/index.ts',
    'query-language': 'src/query-language/index.ts',
    testing: 'src/testing/index.ts',
    'testing/vitest': 'src/testing/vitest.ts',
    'testing/jest': 'src/testing/jest.ts',
    'cli/main': 'src/cli/main.ts',
  },
  format: ['esm', 'cjs'],
  platform: 'node',
  // A runner is its user's own; a copy of it in here would not run the tests.
  external: ['vitest', '@jest/globals', 'expect'],
  target: 'node20.19',
  dts: true,
  shims: true,
  fixedExtension: false,
  // The compiler does not know that what a module exports stays as it is, which costs loops over bytes a fifth.
  inputOptions: { optimization: { inlineConst: { mode: 'all', pass: 3 } } },
});
