import type { CommandGroup, CommandRow } from '../command.ts';
import type { QueryTestFlags } from '../tests/query-tests.ts';
import { KEYS, REPORT_COLOR, REPORT_FORMAT } from './test-flags.ts';

const TEST: CommandRow<QueryTestFlags> = {
  usage: 'test [paths...]',
  summary: 'Run the tests of queries.',
  about:
    'Run the tests of queries without a server: events in, rows out. The tests of errors.lql are in errors.test.yaml. Those of a query in YAML can also be beside it, as its member "tests". Exits with status 1 if a test fails.',
  args: ['Test files (*.test.yaml), YAML files with queries and tests, or folders.'],
  flags: [
    KEYS,
    ['--coverage', 'Also report filters and arms of case and match that no test decides.'],
    ['--update', 'Write the rows of failed tests to the test files as the expected rows.'],
    REPORT_FORMAT,
    REPORT_COLOR,
  ],
  examples: [
    ['logclient queries test queries', 'run all tests in a folder'],
    ['logclient queries test queries --coverage', 'also show what the tests do not decide'],
    ['logclient queries test queries --output junit > report.xml', 'write a report for CI'],
    ['logclient queries test queries/errors.test.yaml --update', 'write the expected rows'],
  ],
  run: async (flags, paths: readonly string[]) =>
    (await import('../tests/query-tests.ts')).testQueries(paths, flags),
};

/** `logclient queries`: query files. */
export const QUERIES: CommandGroup = {
  name: 'queries',
  summary: 'Test queries.',
  about: 'Test queries without a server.',
  commands: [TEST],
};
