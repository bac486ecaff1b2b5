import { cliCommand } from '../search/cli-command.ts';
import { readableQuery } from '../search/query-text.ts';
import { interval } from '../search/time-range.ts';
import { parseState, type SearchState } from '../state/search-state.ts';
import { isSample } from './samples.ts';

/** The search in the address as a test. */
export function testCode(): string {
  const query = JSON.stringify(queryOf(currentState()));
  return `import { logTest as test } from 'logclient/testing/vitest';
import { expect } from 'vitest';

test('logs what the query finds', async ({ logs }) => {
  // Capture the logger and run your code: see the documentation of logclient/testing.
  await expect(logs).toHaveLogged(${query});
});
`;
}

/** The search in the address as code that runs it. */
export function queryCode(): string {
  const state = currentState();
  const { start, end } = interval(state);
  const query = queryOf(state).replace(/[`\\]|\$\{/g, '\\$&');
  const times = `{ start: ${JSON.stringify(start)}, end: ${JSON.stringify(end)} }`;
  return `import { LogClient, lql } from 'logclient';

const client = new LogClient();
const rows = await client.query(lql\`${query}\`, ${times});`;
}

/** The search in the address as a command. */
export function command(): string {
  const state = currentState();
  return cliCommand(queryOf(state), state);
}

/** What a link leaves out: lines that are neither those of a sample nor part of the address. */
export function linkConfirmation(): string {
  const { repository, data } = currentState();
  return data !== '' || isSample(repository) ? 'Copied' : 'Copied without the lines: send them, too';
}

function currentState(): SearchState {
  return parseState(location.hash);
}

function queryOf(state: SearchState): string {
  return readableQuery(state) || '*';
}
