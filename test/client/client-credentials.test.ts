import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogHTTPException } from '../../src/core/errors.ts';
import { type FetchLike, LogClient, type LogClientOptions } from '../../src/index.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type FalconService,
  sendFalconError,
  startFalconService,
} from '../helpers/falcon-service.ts';
import { holdTimers } from '../helpers/hand-timers.ts';
import { sendJson } from '../helpers/http-service.ts';

const AUTH = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
const VARIABLES = /^(LOGSCALE_|HUMIO_|FALCON_)/;

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (VARIABLES.test(name)) vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

function clientOf(service: FalconService, options: LogClientOptions = {}): LogClient {
  return new LogClient({ baseUrl: service.url, auth: AUTH, repository: 'search-all', ...options });
}

/** Routes requests for the hosts of the clouds to services of the test. */
function cloudFetch(services: Readonly<Record<string, FalconService>>): {
  fetch: FetchLike;
  hosts: string[];
} {
  const hosts: string[] = [];
  const fetch: FetchLike = (url, init) => {
    const { origin, hostname } = new URL(url);
    hosts.push(hostname);
    const service = services[hostname];
    if (service === undefined) throw new Error(`${hostname} is not a host of this test`);
    return globalThis.fetch(url.replace(origin, service.url), init) as never;
  };
  return { fetch, hosts };
}

const US_1 = 'api.crowdstrike.com';
const EU_1 = 'api.eu-1.crowdstrike.com';

function failureOf(call: Promise<unknown>): Promise<LogHTTPException> {
  return call.then(
    () => expect.unreachable('the call succeeded'),
    (error) => {
      expect(error).toBeInstanceOf(LogHTTPException);
      return error as LogHTTPException;
    },
  );
}

describe('Access token of an API client', () => {
  it('is requested with a form and used for calls below /humio', async () => {
    const service = await startFalconService();
    await clientOf(service, { auth: { ...AUTH, memberCid: 'member-1' } }).createQueryJob('error');
    expect(service.calls).toEqual([
      'POST /oauth2/token',
      'POST /humio/api/v1/repositories/search-all/queryjobs',
    ]);
    expect(Object.fromEntries(service.tokenRequests[0]!)).toEqual({
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_type: 'client_credentials',
      member_cid: 'member-1',
    });
    expect(service.requests[0]!.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    });
    expect(service.requests[0]!.headers.authorization).toBeUndefined();
  });

  it('is requested from tokenUrl if that is set', async () => {
    const tokens = new Set<string>();
    const issuer = await startFalconService({ tokens });
    const service = await startFalconService({ tokens });
    await clientOf(service, { auth: { ...AUTH, tokenUrl: `${issuer.url}/token/oauth2/token` } })
      .createQueryJob('error')
      .catch(() => {});
    expect(issuer.calls).toEqual(['POST /token/oauth2/token']);
    await clientOf(service, { auth: { ...AUTH, tokenUrl: `${issuer.url}/oauth2/token` } }).createQueryJob(
      'error',
    );
    expect(service.calls).toEqual(['POST /humio/api/v1/repositories/search-all/queryjobs']);
  });

  it('is shared by concurrent and later calls', async () => {
    const service = await startFalconService();
    const client = clientOf(service);
    await Promise.all(Array.from({ length: 10 }, () => client.createQueryJob('error')));
    await client.createQueryJob('error');
    expect(service.tokenRequests).toHaveLength(1);
  });

  it('is renewed once if ten concurrent calls get a 401', async () => {
    const service = await startFalconService();
    const client = clientOf(service);
    await client.createQueryJob('error');
    service.expireTokens();
    await Promise.all(Array.from({ length: 10 }, () => client.createQueryJob('error')));
    expect(service.tokenRequests).toHaveLength(2);
    expect(service.requests).toHaveLength(2 + 1 + 20);
  });

  it('is not renewed for a late 401 about the previous token', async () => {
    const late: (() => void)[] = [];
    const service = await startFalconService({
      reject: (request) => request.text.includes('slow') && new Promise<void>((go) => late.push(go)),
    });
    const client = clientOf(service);
    await client.createQueryJob('error');
    service.expireTokens();
    const slow = client.createQueryJob('slow');
    await expect.poll(() => late).toHaveLength(1);
    await client.createQueryJob('fast');
    late[0]!();
    await slow;
    expect(service.tokenRequests).toHaveLength(2);
  });

  it('is renewed one minute before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const service = await startFalconService({ lifetimeSeconds: 1799 });
    const client = clientOf(service);
    await client.createQueryJob('error');
    vi.setSystemTime(1_000_000 + (1799 - 60) * 1000 - 1);
    await client.createQueryJob('error');
    expect(service.tokenRequests).toHaveLength(1);
    vi.setSystemTime(1_000_000 + (1799 - 60) * 1000);
    await client.createQueryJob('error');
    expect(service.tokenRequests).toHaveLength(2);
  });

  it('is renewed after half of its lifetime if that is below two minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const service = await startFalconService({ lifetimeSeconds: 30 });
    const client = clientOf(service);
    await client.createQueryJob('error');
    vi.setSystemTime(1_000_000 + 14_999);
    await client.createQueryJob('error');
    expect(service.tokenRequests).toHaveLength(1);
    vi.setSystemTime(1_000_000 + 15_000);
    await client.createQueryJob('error');
    expect(service.tokenRequests).toHaveLength(2);
  });

  it('is requested again after a failed token request', async () => {
    const service = await startFalconService({
      issue: (_request, response, count) => count === 1 && sendFalconError(response, 503, 'try later'),
    });
    const client = clientOf(service, { maxRetries: 0 });
    expect(await failureOf(client.createQueryJob('error'))).toMatchObject({ statusCode: 503 });
    await client.createQueryJob('error');
    expect(service.tokenRequests).toHaveLength(2);
  });

  it('reaches the other waiting calls if one of them is aborted', async () => {
    const gates: (() => void)[] = [];
    const service = await startFalconService({ issue: () => new Promise<void>((go) => gates.push(go)) });
    const client = clientOf(service);
    const controller = new AbortController();
    const aborted = client.uploadFile({ name: 'a.csv', content: 'a' }, { signal: controller.signal });
    const other = client.createQueryJob('error');
    await expect.poll(() => gates).toHaveLength(1);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    gates[0]!();
    await other;
    expect(service.tokenRequests).toHaveLength(1);
  });
});

describe('Region of an API client', () => {
  it('is learned from a redirect of the token request, and remembered', async () => {
    const eu = await startFalconService();
    const us = await startFalconService({
      issue: (_request, response) =>
        response.writeHead(308, { 'x-cs-region': 'eu-1', location: `https://${EU_1}/oauth2/token` }).end(),
    });
    const { fetch, hosts } = cloudFetch({ [US_1]: us, [EU_1]: eu });
    const client = new LogClient({ auth: AUTH, cloud: 'us-1', repository: 'search-all', fetch });
    expect(client.baseUrl).toBe(`https://${US_1}/humio/`);
    await client.createQueryJob('error');
    await client.createQueryJob('error');
    expect(hosts).toEqual([US_1, EU_1, EU_1, EU_1]);
    expect(client.baseUrl).toBe(`https://${EU_1}/humio/`);
  });

  it('is learned from the X-CS-Region header of a token response', async () => {
    const tokens = new Set<string>();
    const us = await startFalconService({
      tokens,
      issue: (_request, response) => response.setHeader('x-cs-region', 'eu-1'),
    });
    const eu = await startFalconService({ tokens });
    const { fetch, hosts } = cloudFetch({ [US_1]: us, [EU_1]: eu });
    await new LogClient({ auth: AUTH, repository: 'search-all', fetch }).createQueryJob('error');
    expect(hosts).toEqual([US_1, EU_1]);
  });

  it('is learned from the Location header of a redirected call', async () => {
    const tokens = new Set<string>();
    const us = await startFalconService({
      tokens,
      answer: (_request, response) => response.writeHead(308, { location: `https://${EU_1}/humio/` }).end(),
    });
    const eu = await startFalconService({ tokens });
    const { fetch, hosts } = cloudFetch({ [US_1]: us, [EU_1]: eu });
    await new LogClient({ auth: AUTH, repository: 'search-all', fetch }).createQueryJob('error');
    expect(hosts).toEqual([US_1, US_1, EU_1]);
  });

  it('is not followed in a redirect loop', async () => {
    const redirect = (region: string) => ({
      issue: (_request: unknown, response: import('node:http').ServerResponse) =>
        void response.writeHead(308, { 'x-cs-region': region }).end(),
    });
    const us = await startFalconService(redirect('eu-1'));
    const eu = await startFalconService(redirect('us-1'));
    const { fetch, hosts } = cloudFetch({ [US_1]: us, [EU_1]: eu });
    const client = new LogClient({ auth: AUTH, repository: 'search-all', fetch });
    const { message } = await failureOf(client.createQueryJob('error'));
    expect(hosts).toEqual([US_1, EU_1]);
    expect(message).toBe(
      'The service redirected to us-1 (status 308), where the credentials are not sent: set baseUrl to the API address of the cloud of the API client.',
    );
  });

  it.each([
    ['an unknown region', { 'x-cs-region': 'us-9' }, 'us-9'],
    [
      'an unknown host',
      { location: 'https://evil.example.com/oauth2/token' },
      'https://evil.example.com/oauth2/token',
    ],
    [
      'the host of a cloud without TLS',
      { location: `http://${EU_1}/oauth2/token` },
      `http://${EU_1}/oauth2/token`,
    ],
    [
      'an address with credentials',
      { location: 'https://user:secret@evil.example.com/token?secret' },
      'https://evil.example.com/token',
    ],
    ['a long address', { location: `/${'x'.repeat(300)}` }, `/${'x'.repeat(199)}`],
  ])('is not followed to %s', async (_name, headers, target) => {
    const us = await startFalconService({
      issue: (_request, response) => response.writeHead(308, headers).end(),
    });
    const { fetch, hosts } = cloudFetch({ [US_1]: us });
    const client = new LogClient({ auth: AUTH, repository: 'search-all', fetch });
    const error = await failureOf(client.createQueryJob('error'));
    expect(hosts).toEqual([US_1]);
    expect(error.message).toContain(`The service redirected to ${target} (status 308)`);
    expect(error.code).toBe('LOG_AUTHENTICATION');
  });

  it('is ignored if baseUrl is not a CrowdStrike cloud', async () => {
    const service = await startFalconService({
      issue: (_request, response) => response.setHeader('x-cs-region', 'eu-1'),
      answer: (_request, response) => response.writeHead(308, { 'x-cs-region': 'eu-1' }).end(),
    });
    const client = clientOf(service);
    await failureOf(client.createQueryJob('error'));
    expect(client.baseUrl).toBe(`${service.url}/humio/`);
    expect(service.calls).toHaveLength(2);
  });
});

describe('API client at its rate limit', () => {
  /** The clock stands still in the middle of a second. */
  const NOW = 1_800_000_000_250;
  beforeEach(() => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(NOW);
    onTestFinished(() => clock.mockRestore());
  });

  it.each([
    ['Retry-After', '7', 7_000],
    // The clock of the service, without milliseconds.
    ['X-Ratelimit-RetryAfter', '1800000008', 8_000],
  ])('retries a 429 after the time in %s', async (name, value, pauseMs) => {
    let isOver = true;
    const service = await startFalconService({
      answer: (_request, response) => {
        if (!isOver) return sendJson(response, { id: 'P1-job' });
        isOver = false;
        response.setHeader('date', new Date(NOW).toUTCString());
        response.setHeader(name, value);
        sendFalconError(response, 429, 'API rate limit exceeded.');
      },
    });
    const pause = holdTimers(pauseMs);
    const call = clientOf(service).createQueryJob('error');
    await expect.poll(() => pause.running).toBe(1);
    expect(service.calls).toHaveLength(2);
    vi.mocked(Date.now).mockReturnValue(NOW + pauseMs);
    await pause.fire();
    await call;
    expect(service.calls).toHaveLength(3);
    expect(pause.started).toBe(1);
  });

  it('delays the next call if X-Ratelimit-Remaining is 0', async () => {
    const service = await startFalconService({
      answer: (_request, response) => {
        response.setHeader('x-ratelimit-remaining', '0');
        response.setHeader('x-ratelimit-retryafter', '7');
        sendJson(response, { id: 'P1-job' });
      },
    });
    const pause = holdTimers(7_000);
    const client = clientOf(service);
    await client.createQueryJob('error');
    const next = client.createQueryJob('error');
    await expect.poll(() => pause.running).toBe(1);
    expect(service.calls).toHaveLength(2);
    await pause.fire();
    await next;
    expect(service.calls).toHaveLength(3);
  });

  it('fails with retryAfterMs if the pause is longer than five minutes', async () => {
    const service = await startFalconService({
      answer: (_request, response) => {
        response.setHeader('retry-after', '3600');
        response.setHeader('x-ratelimit-limit', '6000');
        sendFalconError(response, 429, 'API rate limit exceeded.');
      },
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toBe(
      'The rate limit of 6000 requests per minute is exceeded (status 429): try again in 3600 s, or send fewer requests.',
    );
    expect(error).toMatchObject({ statusCode: 429, retryAfterMs: 3_600_000 });
    expect(service.calls).toHaveLength(2);
  });

  it('stops waiting when the call is aborted', async () => {
    const service = await startFalconService({
      answer: (_request, response) => {
        response.setHeader('retry-after', '100');
        sendFalconError(response, 429, 'API rate limit exceeded.');
      },
    });
    const controller = new AbortController();
    const call = clientOf(service).createQueryJob('error', { signal: controller.signal });
    await expect.poll(() => service.calls).toHaveLength(2);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

describe('Errors of client credentials', () => {
  const REJECTED = 'Failed to issue access token - Client authentication failed';

  it('name the options to check if the secret is wrong, and hide the secret', async () => {
    const service = await startFalconService({
      issue: (_request, response) => sendFalconError(response, 403, `${REJECTED} for ${CLIENT_SECRET}`),
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toBe(
      `The service rejected the API client ${CLIENT_ID} (status 403: ${REJECTED} for [redacted]): check clientId and clientSecret, and that the API client belongs to this cloud and allows this IP address.`,
    );
    expect(error.code).toBe('LOG_AUTHENTICATION');
    expect(JSON.stringify(error)).not.toContain(CLIENT_SECRET);
  });

  it.each([
    [399, 'The service redirected to another address (status 399), where the credentials are not sent'],
    [
      400,
      `The service rejected the API client ${CLIENT_ID} (status 400: why): check clientId and clientSecret`,
    ],
    [
      401,
      `The service rejected the API client ${CLIENT_ID} (status 401: why): check clientId and clientSecret`,
    ],
    [
      403,
      `The service rejected the API client ${CLIENT_ID} (status 403: why): check clientId and clientSecret`,
    ],
    [404, '/oauth2/token failed with status 404: why'],
  ])('name the cause of status %i of a token request', async (status, message) => {
    const service = await startFalconService({
      issue: (_request, response) => sendFalconError(response, status, 'why'),
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toContain(message);
  });

  it.each([
    [399, 'The service redirected to another address (status 399), where the credentials are not sent'],
    [400, 'why'],
    [404, 'failed with status 404: why'],
  ])('name the cause of status %i of a call', async (status, message) => {
    const service = await startFalconService({
      answer: (_request, response) => sendFalconError(response, status, 'why'),
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toContain(message);
  });

  it('name an unknown member CID', async () => {
    const service = await startFalconService({
      issue: (_request, response) => sendFalconError(response, 403, 'member_cid is not a child of this CID'),
    });
    const client = clientOf(service, { auth: { ...AUTH, memberCid: 'member-1' } });
    expect((await failureOf(client.createQueryJob('error'))).message).toBe(
      `The member CID member-1 is unknown, or the API client ${CLIENT_ID} has no access to it (status 403: member_cid is not a child of this CID): check memberCid.`,
    );
  });

  it('name the required scopes if a call lacks one', async () => {
    const service = await startFalconService({
      answer: (_request, response) => sendFalconError(response, 403, 'access denied, scope not permitted'),
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toBe(
      `The API client ${CLIENT_ID} lacks a permission (status 403: access denied, scope not permitted): give it the scopes NGSIEM Read and NGSIEM Write in the Falcon console, under Support and resources > API clients and keys.`,
    );
    expect(error.code).toBe('LOG_AUTHENTICATION');
    expect(service.tokenRequests).toHaveLength(1);
  });

  it('are thrown after the second 401, with the access token redacted', async () => {
    const service = await startFalconService({
      answer: (request, response) =>
        sendFalconError(response, 401, `invalid: ${request.headers.authorization}`),
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toContain(
      `The service rejected a new access token of the API client ${CLIENT_ID} (status 401: invalid: [redacted]): check`,
    );
    expect(service.tokenRequests).toHaveLength(2);
    expect(service.calls).toHaveLength(4);
  });

  it('quote nothing of a token response without an access token', async () => {
    const service = await startFalconService({
      issue: (_request, response) => sendJson(response, { access_tokens: ['something-secret'] }),
    });
    const error = await failureOf(clientOf(service).createQueryJob('error'));
    expect(error.message).toBe(
      'POST /oauth2/token did not return an access token. Check tokenUrl and baseUrl.',
    );
    expect(JSON.stringify(error)).not.toContain('something-secret');
  });
});
