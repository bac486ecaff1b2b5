import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type IngesterOptions, resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { IngestPipeline } from '../../../src/ingest/pipeline.ts';
import { createRecord } from '../../../src/ingest/record/record.ts';
import type { Warning } from '../../../src/ingest/report/warning.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import {
  type Answer,
  type ReceivedRequest,
  sendJson,
  sendText,
  startService,
} from '../../helpers/http-service.ts';

const STATUS = 'GET /api/v1/status';
const INGEST = 'POST /api/v1/ingest/humio-structured';
const TOKEN = 'ingest-token-0815';

interface OpenOptions extends IngesterOptions {
  /** Simulates that no address was set. */
  readonly isDefault?: boolean;
}

/** Adds three records for the address. */
function open(baseUrl: string, { isDefault = false, ...options }: OpenOptions = {}) {
  const warnings: Warning[] = [];
  const resolved = resolveIngesterOptions({
    baseUrl,
    ingestToken: TOKEN,
    compression: 'none',
    flushIntervalMs: 0,
    minRetryDelayMs: 1,
    maxRetryDelayMs: 20,
    closeTimeoutMs: 9_000,
    onWarning: (warning) => void warnings.push(warning),
    ...options,
  });
  const pipeline = new IngestPipeline({ ...resolved, isDefaultAddress: isDefault });
  for (let n = 1; n <= 3; n++) {
    pipeline.add(createRecord(`{"timestamp":1,"attributes":{"n":${n}}}`, '{}'));
  }
  onTestFinished(() => pipeline.close());
  return { pipeline, warnings };
}

/** The endpoints of LogScale that delivery uses. */
const LOGSCALE: Answer = ({ method }, response) =>
  sendJson(response, method === 'GET' ? { status: 'ok', version: '1.228.0' } : {});

/** Programs that respond to every request with success. */
const OTHER_PROGRAMS: Readonly<Record<string, Answer>> = {
  JSON: (_, response) => sendJson(response, { ok: true }),
  'a JSON array': (_, response) => sendJson(response, []),
  null: (_, response) => sendJson(response, null),
  'a web page': (_, response) => response.setHeader('content-type', 'text/html').end('<h1>Shop</h1>'),
  text: (_, response) => response.end('ok'),
  'a health check': (_, response) => sendJson(response, { status: 'ok' }),
  '204': (_, response) => response.writeHead(204).end(),
  '404 for the status': (request, response) =>
    request.method === 'GET' ? sendText(response, 404, 'Not Found') : sendJson(response, { ok: true }),
};

/** Responses of LogScale, or a proxy in front of it, to a batch. */
const USUAL_BODIES: readonly string[] = ['{}', '', ' \r\n', '{ }\n', '\n{\n}'];

function recordsOf(requests: readonly ReceivedRequest[]): number[] {
  const batches = requests.filter(({ method }) => method === 'POST');
  const groups = batches.flatMap((request) => request.json<{ events: { attributes: { n: number } }[] }[]>());
  return groups.flatMap(({ events }) => events.map(({ attributes }) => attributes.n));
}

/** A service whose responses can be replaced. */
async function startReplaceable(first: Answer) {
  let answer = first;
  const service = await startService((request, response) => answer(request, response));
  const replace = (other: Answer): void => {
    answer = other;
  };
  return { service, replace };
}

describe('Delivery to the default address', () => {
  it.each(Object.keys(OTHER_PROGRAMS))(
    'sends no record or token to a program that responds with %s, and waits for LogScale',
    async (name) => {
      const { service, replace } = await startReplaceable(OTHER_PROGRAMS[name]!);
      const { pipeline, warnings } = open(service.url, { isDefault: true });
      await expect.poll(() => service.calls.length).toBeGreaterThan(3);
      expect(new Set(service.calls)).toEqual(new Set([STATUS]));
      expect(service.requests.filter(({ headers }) => JSON.stringify(headers).includes(TOKEN))).toEqual([]);
      expect(pipeline.stats).toMatchObject({ accepted: 3, delivered: 0, dropped: { closed: 0 } });
      expect(warnings).toEqual([
        {
          kind: 'attention',
          message: expect.stringMatching(/is not LogScale.* Pass "baseUrl" or set LOGSCALE_URL\./),
        },
      ]);
      replace(LOGSCALE);
      await pipeline.flush();
      expect(recordsOf(service.requests)).toEqual([1, 2, 3]);
      expect(pipeline.stats).toMatchObject({ delivered: 3 });
      expect(warnings).toHaveLength(1);
    },
  );

  it('checks for LogScale once, before the first batch', async () => {
    const service = await startService(LOGSCALE);
    const { pipeline, warnings } = open(service.url, { isDefault: true, maxBatchRecords: 1 });
    await pipeline.flush();
    expect(service.calls).toEqual([STATUS, INGEST, INGEST, INGEST]);
    expect(warnings).toEqual([]);
  });

  it('retries until LogScale is listening, and names baseUrl and LOGSCALE_URL in one warning', async () => {
    const port = await closedPort();
    const { pipeline, warnings } = open(`http://127.0.0.1:${port}`, { isDefault: true });
    await expect.poll(() => pipeline.stats.retried).toBeGreaterThan(3);
    expect(warnings).toEqual([
      {
        kind: 'attention',
        message: expect.stringMatching(
          /Nothing is listening.* No address is set\. Pass "baseUrl" or set LOGSCALE_URL/,
        ),
      },
    ]);
    const service = await startService(LOGSCALE, port);
    await pipeline.flush();
    expect(recordsOf(service.requests)).toEqual([1, 2, 3]);
    expect(warnings).toHaveLength(1);
  });

  it('drops and counts the records on close, and reports that the service is not LogScale', async () => {
    const service = await startService(OTHER_PROGRAMS.JSON!);
    const { pipeline, warnings } = open(service.url, { isDefault: true, maxRetryDelayMs: 60_000 });
    await expect.poll(() => warnings).toHaveLength(1);
    await pipeline.close();
    expect(new Set(service.calls)).toEqual(new Set([STATUS]));
    expect(pipeline.stats).toMatchObject({ accepted: 3, delivered: 0, dropped: { closed: 3 } });
    expect(warnings[1]).toEqual({
      kind: 'closed',
      message: expect.stringMatching(
        /^3 records were dropped: .*is not LogScale.* Pass "baseUrl" or set LOGSCALE_URL/,
      ),
    });
  });

  it('names baseUrl and LOGSCALE_URL on close if the program never responds', async () => {
    const service = await startService(() => {});
    const { pipeline, warnings } = open(service.url, { isDefault: true, closeTimeoutMs: 300 });
    await expect.poll(() => service.calls).toEqual([STATUS]);
    await pipeline.close();
    expect(warnings).toEqual([
      {
        kind: 'closed',
        message: expect.stringMatching(
          /no response within 250 ms \(closeTimeoutMs\)\. No address is set\. Pass "baseUrl" or set LOGSCALE_URL/,
        ),
      },
    ]);
  });

  it('repeats a check whose response is truncated', async () => {
    const { service, replace } = await startReplaceable((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy());
      replace(LOGSCALE);
    });
    const { pipeline, warnings } = open(service.url, { isDefault: true, maxRetryDelayMs: 60_000 });
    await pipeline.flush();
    expect(service.calls).toEqual([STATUS, STATUS, INGEST]);
    expect(warnings).toEqual([]);
  });
});

describe('Delivery to a configured address', () => {
  it.each(USUAL_BODIES)('sends no check if the response to a batch is %j', async (body) => {
    const service = await startService((_, response) => response.end(body));
    const { pipeline, warnings } = open(service.url, { maxBatchRecords: 1 });
    await pipeline.flush();
    expect(service.calls).toEqual([INGEST, INGEST, INGEST]);
    expect(pipeline.stats).toMatchObject({ delivered: 3 });
    expect(warnings).toEqual([]);
  });

  it.each(['JSON', 'a JSON array', 'null', 'text', 'a health check', '404 for the status'])(
    'does not count records as delivered by a program that responds with %s',
    async (name) => {
      const service = await startService(OTHER_PROGRAMS[name]!);
      const { pipeline, warnings } = open(service.url);
      await expect.poll(() => service.calls.length).toBeGreaterThan(3);
      expect(service.calls.slice(0, 3)).toEqual([INGEST, STATUS, INGEST]);
      expect(pipeline.stats).toMatchObject({ accepted: 3, delivered: 0, dropped: { closed: 0 } });
      expect(warnings).toEqual([
        {
          kind: 'attention',
          message: expect.stringMatching(/is not LogScale.* Check "baseUrl" or LOGSCALE_URL\./),
        },
      ]);
    },
  );

  it('sends no token with the check', async () => {
    const service = await startService(OTHER_PROGRAMS.JSON!);
    open(service.url);
    await expect.poll(() => service.calls).toContain(STATUS);
    const checks = service.requests.filter(({ method }) => method === 'GET');
    expect(checks.filter(({ headers }) => JSON.stringify(headers).includes(TOKEN))).toEqual([]);
    expect(checks[0]!.headers).not.toHaveProperty('authorization');
  });

  it('checks for LogScale once if responses to batches have unusual bodies', async () => {
    const service = await startService(({ method }, response) =>
      sendJson(response, method === 'GET' ? { status: 'ok', version: '1.0' } : { accepted: true }),
    );
    const { pipeline, warnings } = open(service.url, { maxBatchRecords: 1 });
    await pipeline.flush();
    expect(service.calls).toEqual([INGEST, STATUS, INGEST, INGEST]);
    expect(pipeline.stats).toMatchObject({ delivered: 3, retried: 0 });
    expect(warnings).toEqual([]);
  });

  it.each([{}, { format: 'hec' as const }])(
    'does not count records as delivered by a web page without a content type (%j)',
    async (options) => {
      const service = await startService((request, response) => {
        if (request.method === 'GET') return LOGSCALE(request, response);
        return void response.end('<html>Log in</html>');
      });
      const { pipeline, warnings } = open(service.url, options);
      await expect.poll(() => warnings).toHaveLength(1);
      expect(warnings[0]!.message).toContain('responded with a web page instead of an API response');
      expect(pipeline.stats).toMatchObject({ delivered: 0 });
      pipeline.abandon();
    },
  );

  it('reports a web page as a wrong address without a check', async () => {
    const service = await startService(OTHER_PROGRAMS['a web page']!);
    const { warnings } = open(service.url, { maxRetryDelayMs: 60_000 });
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings[0]!.message).toContain('with a web page (status 200) instead of an API response');
    expect(new Set(service.calls)).toEqual(new Set([INGEST]));
  });
});

describe('Batch with an incomplete response body', () => {
  const HEAD = { 'content-type': 'application/json', 'content-length': '2' };
  const BODIES: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'is truncated before its first byte': (response) => {
      response.flushHeaders();
      setImmediate(() => response.destroy());
    },
    'is truncated after its first byte': (response) => {
      response.write('{', () => response.destroy());
    },
    'never ends': (response) => void response.flushHeaders(),
    'never ends after its first byte': (response) => void response.write('{'),
  };

  it.each(Object.keys(BODIES))(
    'counts as delivered at the address of LogScale if the body %s',
    async (name) => {
      const service = await startService((request, response) => {
        if (request.method === 'GET') return LOGSCALE(request, response);
        return BODIES[name]!(response.writeHead(200, HEAD));
      });
      const { pipeline, warnings } = open(service.url, { requestTimeoutMs: 300, maxBatchRecords: 1 });
      await pipeline.flush();
      // The address is checked once.
      expect(service.calls).toEqual([INGEST, STATUS, INGEST, INGEST]);
      expect(pipeline.stats).toMatchObject({ delivered: 3, retried: 0 });
      expect(warnings).toEqual([]);
    },
  );

  it.each(Object.keys(BODIES))('is retried at any other address if the body %s', async (name) => {
    const service = await startService(({ method }, response) => {
      if (method === 'GET') return sendText(response, 200, 'ok');
      return BODIES[name]!(response.writeHead(200, HEAD));
    });
    const { pipeline, warnings } = open(service.url, { requestTimeoutMs: 300 });
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings[0]!.message).toContain('is not LogScale');
    expect(pipeline.stats).toMatchObject({ delivered: 0, dropped: { rejected: 0 } });
    pipeline.abandon();
  });

  it('is retried if the body is not valid gzip and the address is not that of LogScale', async () => {
    const service = await startService((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'),
    );
    const { pipeline, warnings } = open(service.url);
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    expect(pipeline.stats).toMatchObject({ delivered: 0 });
    pipeline.abandon();
  });
});
