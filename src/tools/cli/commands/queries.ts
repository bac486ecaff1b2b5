import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import type { QueryTestFlags } from '../tests/query-tests.ts';
import { keyOption } from './lint.ts';
import { addTestFlags } from './test-flags.ts';

/** `logclient queries`: query files. */
export function addQueriesCommand(program: Command): void {
  const queries = program
    .command('queries')
    .summary('Test queries.')
    .description('Test queries without a server.')
    .helpCommand('help [command]', 'Show help for a command.');
  const command = queries
    .command('test')
    .summary('Run the tests of queries.')
    .description(
      'Run the tests of queries without a server: events in, rows out. The tests of errors.lql are in errors.test.yaml. Those of a query in YAML can also be beside it, as its member "tests". Exits with status 1 if a test fails.',
    )
    .argument('[paths...]', 'Test files (*.test.yaml), YAML files with queries and tests, or folders.')
    .addOption(keyOption())
    .option('--coverage', 'Also report filters and arms of case and match that no test decides.')
    .option('--update', 'Write the rows of failed tests to the test files as the expected rows.');
  withExamples(
    addTestFlags(command),
    ['logclient queries test queries', 'run all tests in a folder'],
    ['logclient queries test queries --coverage', 'also show what the tests do not decide'],
    ['logclient queries test queries --output junit > report.xml', 'write a report for CI'],
    ['logclient queries test queries/errors.test.yaml --update', 'write the expected rows'],
  );
  command.action(async (paths: readonly string[], flags: QueryTestFlags) => {
    const { testQueries } = await import('../tests/query-tests.ts');
    await testQueries(paths, flags);
  });
}
