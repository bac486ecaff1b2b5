import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import type { QueryTestFlags } from '../tests/query-tests.ts';
import { addTestFlags } from './test-flags.ts';

/** `logclient queries`: query files. */
export function addQueriesCommand(program: Command): void {
  const queries = program
    .command('queries')
    .summary('Test query files.')
    .description('Test query files without a server.')
    .helpCommand('help [command]', 'Show help for a command.');
  const command = queries
    .command('test')
    .summary('Run the tests of query files.')
    .description(
      'Run the tests of query files without a server. The tests of errors.lql are in errors.test.yaml: events in, rows out. Exits with status 1 if a test fails.',
    )
    .argument('[paths...]', 'Test files (*.test.yaml), or folders.')
    .option('--update', 'Write the rows of failed tests to the test files as the expected rows.');
  withExamples(
    addTestFlags(command),
    ['logclient queries test queries', 'run all tests in a folder'],
    ['logclient queries test queries --output junit > report.xml', 'write a report for CI'],
    ['logclient queries test queries/errors.test.yaml --update', 'write the expected rows'],
  );
  command.action(async (paths: readonly string[], flags: QueryTestFlags) => {
    const { testQueries } = await import('../tests/query-tests.ts');
    await testQueries(paths, flags);
  });
}
