import { cliCommand } from '../search/cli-command.ts';
import { fullQuery } from '../search/query-text.ts';
import { interval, isRelative } from '../search/time-range.ts';
import { parseState } from '../state/search-state.ts';
import { SAMPLES } from './samples.ts';

/** The ways to take a search elsewhere, by the label of their button, except for a link. */
export const COPY_AS: Readonly<Record<string, () => string>> = {
  'A test': () => {
    const query = JSON.stringify(currentQuery());
    return `import { logTest as test } from 'logclient/testing/vitest';
import { expect } from 'vitest';

test('logs what the query finds', async ({ logs }) => {
  // Capture the logger and run your code: see the documentation of logclient/testing.
  await expect(logs).toHaveLogged(${query});
});
`;
  },
  'lql code': () => {
    const { start, end } = interval(currentState());
    const query = currentQuery().replace(/[`\\]|\$\{/g, '\\$&');
    const times = `{ start: ${JSON.stringify(start)}, end: ${JSON.stringify(end)} }`;
    return `import { LogClient, lql } from 'logclient';\n\nconst client = new LogClient();\nconst rows = await client.query(lql\`${query}\`, ${times});`;
  },
  'A command': () => {
    const state = currentState();
    const { start, end } = interval(state);
    const time = isRelative(state) ? `--since ${start}` : `--from ${start} --to ${end}`;
    return cliCommand(currentQuery(), state.repository, time);
  },
};

/** What a link leaves out: lines that are neither those of a sample nor part of the address. */
export function linkRemark(): string {
  const { repository, data } = currentState();
  const isComplete = data !== '' || SAMPLES.some((sample) => sample.repository === repository);
  return isComplete ? '' : ' without the lines: send them, too';
}

function currentState(): ReturnType<typeof parseState> {
  return parseState(location.hash);
}

function currentQuery(): string {
  return fullQuery(currentState()) || '*';
}
