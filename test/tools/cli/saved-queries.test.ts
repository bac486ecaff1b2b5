import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, type CliRun, runCommand } from '../../helpers/cli-run.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

function run(...words: string[]): Promise<CliRun> {
  return runCommand(['saved-queries', ...words, '--json'], { env: accessTo(server) });
}

function queryIn({ stdout }: CliRun): unknown {
  return JSON.parse(stdout)[0].query;
}

/** Invalid queries, and where each is invalid. */
const INVALID = [
  ['groupBy(', 'line 1, column 9'],
  ['level=error\n| unknown()', 'line 2, column 3'],
  ['SELECT * FROM logs', 'line 1, column'],
] as const;

describe.each(INVALID)('The invalid query %j', (query, position) => {
  it('is saved, and an error on stderr names the position', async () => {
    const name = `created ${query.length}`;
    const created = await run('create', name, query);
    expect(created).toMatchObject({ code: 1, stderr: expect.stringContaining(position) });
    expect(created.stderr).toContain(`logclient: ${name} is saved, but invalid. `);
    expect(queryIn(created)).toBe(query);
  });

  it('is reported again when the saved query is kept or updated', async () => {
    const name = `updated ${query.length}`;
    expect(await run('create', name, 'count()')).toMatchObject({ code: 0, stderr: '' });
    for (const words of [
      ['update', name, '--query', query],
      ['create', name, 'count()', '--if-exists', 'keep'],
      ['create', name, query, '--if-exists', 'update'],
      ['update', name, '--description', 'a description'],
    ]) {
      const { code, stderr } = await run(...words);
      expect({ code, stderr }, words.join(' ')).toEqual({
        code: 1,
        stderr: expect.stringContaining(position),
      });
    }
    expect(await run('update', name, '--query', 'count()')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('A saved query', () => {
  it('with control characters in its name cannot drive the terminal', async () => {
    const { stderr } = await run('create', 'red\u001b[31m\u009b', '(');
    expect(stderr).toContain('red\\x1b[31m\\x9b is saved, but invalid');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
    expect(stderr).not.toMatch(/[\u001b\u009b]/);
  });

  it('with parameters, comments, or a call of another saved query causes no error', async () => {
    for (const query of ['user=?user', 'ms > ?{limit=500} // slow', '$errors() | count()', '', '*']) {
      expect(await run('create', `valid ${query.length}`, query), query).toMatchObject({
        code: 0,
        stderr: '',
      });
    }
  });
});
