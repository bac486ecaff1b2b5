import { describe, expect, it } from 'vitest';
import { runNode } from '../helpers/run-node.ts';

describe('Without an address, a token and a local server,', () => {
  it('every form drops and counts its records, and stderr says so once, with the next step', async () => {
    const { code, stdout, stderr } = await runNode('test/fixtures/no-settings.mjs', { CI: 'true' });
    expect(stderr).toMatch(
      /^logclient: Records are dropped\. \w+ needs a token\. Pass .* set LOGSCALE_URL and LOGSCALE_INGEST_TOKEN\. .*\n$/,
    );
    const counts: Record<string, unknown> = JSON.parse(stdout);
    expect(Object.keys(counts)).toHaveLength(9);
    // A form that captures all gets the records of others.
    for (const [form, [accepted, dropped]] of Object.entries(counts) as [string, number[]][]) {
      expect([form, dropped]).toEqual([form, accepted]);
      expect(accepted).toBeGreaterThan(0);
    }
    expect(code).toBe(0);
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }, 'a token'],
    ['in production with a token', { NODE_ENV: 'production', LOGSCALE_INGEST_TOKEN: 'token' }, 'an address'],
    ['with an address', { LOGSCALE_URL: 'http://127.0.0.1:9' }, 'a token'],
  ])('but not %s: there, a transport can not be created', async (_, env: Record<string, string>, missing) => {
    const { code, stderr } = await runNode('test/fixtures/no-settings.mjs', env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^LogOptionsException.*: \w+ needs /m);
    expect(stderr).toContain(` needs ${missing}`);
  });
});
