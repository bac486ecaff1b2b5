import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogOptionsException } from '../../src/core/errors.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/options.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('Ingester options', () => {
  it('have defaults and are frozen', () => {
    const resolved = resolveIngesterOptions({ baseUrl: 'https://logscale.example.com', ingestToken: ' t ' });
    expect(resolved).toMatchObject({
      token: 't',
      endpoint: 'api/v1/ingest/humio-structured',
      fullBatchRecords: 5_000,
      maxBatchRecords: Number.POSITIVE_INFINITY,
      maxBatchBytes: 1_048_576,
      flushIntervalMs: 1_000,
      maxQueueBytes: 8_388_608,
      maxEventBytes: 1_000_000,
      maxRequestsInFlight: 1,
      batchIds: false,
      overflow: 'dropOldest',
      compression: 'gzip',
      requestTimeoutMs: 10_000,
      minRetryDelayMs: 1_000,
      maxRetryDelayMs: 30_000,
      closeTimeoutMs: 5_000,
    });
    expect(Object.isFrozen(resolved)).toBe(true);
  });

  it.each([
    ['http://localhost:3000', 2_000],
    ['http://127.0.0.1:5647/prefix', 2_000],
    ['http://[::1]:5647', 2_000],
    ['http://192.168.1.20:5647', 30_000],
    ['https://localhost.example.com', 30_000],
  ])('limit retry delays for %s to %d ms by default', (baseUrl, limitMs) => {
    const options = { baseUrl, ingestToken: 't' };
    expect(resolveIngesterOptions(options).maxRetryDelayMs).toBe(limitMs);
    expect(resolveIngesterOptions({ ...options, maxRetryDelayMs: 9_000 }).maxRetryDelayMs).toBe(9_000);
    expect(resolveIngesterOptions({ ...options, minRetryDelayMs: 60_000 }).maxRetryDelayMs).toBe(60_000);
  });

  it('prefer passed tokens to the environment, and LOGSCALE_INGEST_TOKEN to LOGSCALE_TOKEN', () => {
    vi.stubEnv('LOGSCALE_TOKEN', 'user');
    vi.stubEnv('LOGSCALE_REPOSITORY', 'shop');
    expect(resolveIngesterOptions({})).toMatchObject({
      token: 'user',
      endpoint: 'api/v1/repositories/shop/ingest',
    });
    vi.stubEnv('LOGSCALE_INGEST_TOKEN', 'ingest');
    expect(resolveIngesterOptions({})).toMatchObject({
      token: 'ingest',
      endpoint: 'api/v1/ingest/humio-structured',
    });
    expect(resolveIngesterOptions({ userToken: 'mine' })).toMatchObject({ token: 'mine' });
    expect(resolveIngesterOptions({ ingestToken: 'yours' })).toMatchObject({ token: 'yours' });
  });

  it('read LOGSCALE_FLUSH_INTERVAL_MS unless flushIntervalMs is set', () => {
    vi.stubEnv('LOGSCALE_FLUSH_INTERVAL_MS', '25');
    expect(resolveIngesterOptions({ ingestToken: 't' })).toMatchObject({ flushIntervalMs: 25 });
    const explicit = resolveIngesterOptions({ ingestToken: 't', flushIntervalMs: 50 });
    expect(explicit).toMatchObject({ flushIntervalMs: 50 });
    vi.stubEnv('LOGSCALE_FLUSH_INTERVAL_MS', 'soon');
    expect(() => resolveIngesterOptions({ ingestToken: 't' })).toThrow(
      'Ingester: "LOGSCALE_FLUSH_INTERVAL_MS" must be a whole number of at least 0 and at most 2147483647 (got "soon").',
    );
  });

  it.each([
    [{ LOGSCALE_INGEST_TOKEN: 'a b' }, '"LOGSCALE_INGEST_TOKEN" contains'],
    [{ LOGSCALE_INGEST_TOKEN: '"a"' }, '"LOGSCALE_INGEST_TOKEN" is in quotes'],
    [{ LOGSCALE_API_TOKEN: 'a b', LOGSCALE_REPOSITORY: 'shop' }, '"LOGSCALE_API_TOKEN" contains'],
    [{ HUMIO_TOKEN: 'user' }, '"HUMIO_TOKEN" needs a "repository"'],
    [{ LOGSCALE_FORMAT: 'csv' }, '"LOGSCALE_FORMAT" must be one of'],
    [{ LOGSCALE_TAGS: '#service=shop' }, 'LOGSCALE_TAGS must have the form'],
    [{ LOGSCALE_REDACT: 'a.b' }, '"LOGSCALE_REDACT": "keys" are names'],
    [{ LOGSCALE_REDACT: 'ssn=x' }, '"LOGSCALE_REDACT": "keys" are names'],
  ])('name the variable with an invalid value: %j', (variables, message) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(() => resolveIngesterOptions({}, 'logclient/auto')).toThrow(message);
  });

  it('have no tag whose value is undefined, such as that of an unset variable', () => {
    const tags = { service: 'shop', region: process.env.LOGCLIENT_NO_SUCH_VARIABLE };
    expect(resolveIngesterOptions({ ingestToken: 't', tags }).tags).toEqual({ service: 'shop' });
  });

  it('read LOGSCALE_TAGS unless tags are set', () => {
    vi.stubEnv('LOGSCALE_TAGS', ' service = shop ,env=a=b c');
    expect(resolveIngesterOptions({ ingestToken: 't' }).tags).toEqual({ service: 'shop', env: 'a=b c' });
    const explicit = resolveIngesterOptions({ ingestToken: 't', tags: { team: 'web' } });
    expect(explicit.tags).toEqual({ team: 'web' });
  });

  it.each(['shop', '=shop', 'service=', 'service=shop,', 'a b=c'])(
    'reject the value "%s" of LOGSCALE_TAGS',
    (tags) => {
      vi.stubEnv('LOGSCALE_TAGS', tags);
      expect(() => resolveIngesterOptions({ ingestToken: 't' })).toThrow(
        `Ingester: LOGSCALE_TAGS must have the form "service=shop,env=production" (got "`,
      );
    },
  );

  it.each<[object, RegExp]>([
    [
      { baseUrl: 'http://127.0.0.1:9' },
      /needs a token.*ingestToken.*set LOGSCALE_INGEST_TOKEN.*npx logclient dev/,
    ],
    [{ userToken: 'u' }, /needs a "repository".*LOGSCALE_REPOSITORY/],
    [{ userToken: 'u', ingestToken: 'i' }, /"ingestToken" and "userToken" can't be combined/],
    [{ ingestToken: 'i', headers: { Authorization: 'x' } }, /the header "authorization", set "ingestToken"/],
    [
      { userToken: 'u', repository: 'r', headers: { authorization: 'x' } },
      /the header "authorization", set "userToken"/,
    ],
    [
      { format: 'hec', ingestUrl: 'http://a', ingestToken: 'i', headers: { authorization: 'x' } },
      /the header "authorization", set "ingestToken"/,
    ],
    [{ ingestToken: 'secret\ntoken' }, /characters that are not valid in a token/],
    [{ ingestToken: 't', maxBatchRecord: 5 }, /Did you mean "maxBatchRecords"/],
    [{ ingestToken: 't', batchSize: 5 }, /Did you mean "maxBatchRecords"/],
    [{ ingestToken: 't', batchInterval: 5 }, /Did you mean "flushIntervalMs"/],
    [{ ingestToken: 't', maxBatchRecords: 0 }, /"maxBatchRecords" must be a whole number of at least 1/],
    [{ ingestToken: 't', closeTimeoutMs: 10_000 }, /"closeTimeoutMs".*at most 9000/],
    [
      { ingestToken: 't', minRetryDelayMs: 50, maxRetryDelayMs: 10 },
      /"maxRetryDelayMs" \(10\) must be at least "minRetryDelayMs" \(50\)/,
    ],
    [
      { ingestToken: 't', maxRetryDelayMs: 500 },
      /"maxRetryDelayMs" \(500\) must be at least "minRetryDelayMs" \(1000\)\. Lower "minRetryDelayMs", too\./,
    ],
    [{ ingestToken: 't', overflow: 'drop' }, /"overflow" must be one of dropOldest, dropNewest, block/],
    [{ ingestToken: 't', tags: ['a'] }, /"tags" must be an object/],
    [{ ingestToken: 't', tags: { '#env': 'x' } }, /the tag name "#env" must not start with "#"/],
    [{ ingestToken: 't', tags: { env: '' } }, /"tags.env" must be a non-empty string/],
    [{ ingestToken: 't', tags: { env: null } }, /"tags.env" must be a non-empty string/],
    [{ ingestToken: 't', tags: { env: 1 } }, /"tags.env" must be a non-empty string/],
    [{ ingestToken: 't', tagFields: 'level' }, /"tagFields" must be an array/],
    [{ ingestToken: 't', onDrop: 'x' }, /"onDrop" must be a function/],
  ])('reject %j with a reason that does not contain the token', (options, message) => {
    const resolve = (): unknown => resolveIngesterOptions(options as IngesterOptions);
    expect(resolve).toThrow(LogOptionsException);
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/secret/);
  });
});
