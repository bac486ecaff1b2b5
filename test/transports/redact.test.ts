import { EventEmitter } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogLayer } from 'loglayer';
import pino from 'pino';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import { CONNECTION_VARIABLES } from '../../src/core/environment.ts';
import { Ingester } from '../../src/ingest/ingester.ts';
import { EventDelivery } from '../../src/ingest/kit/event-delivery.ts';
import { resolveEventTransportOptions } from '../../src/ingest/kit/event-transport-options.ts';
import { forText, type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/options.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { captureConsole } from '../../transports/capture/console/index.ts';
import { LogTransport as LogLayerTransport } from '../../transports/loglayer/index.ts';
import { createPinoStream } from '../../transports/pino/index.ts';
import { serialize } from '../../transports/web/browser/serialize.ts';
import { createIngestHandler } from '../../transports/web/ingest-handler/index.ts';
import { DeliverySink } from '../../transports/web/next/log-sink.ts';
import { LogTransport } from '../../transports/winston/index.ts';
import { FakeSite } from '../helpers/fake-browser.ts';
import { cases } from '../helpers/laws.ts';
import { SECRET_KEYS, type SecretRecord, SecretRecords } from '../helpers/secret-records.ts';

const { numRuns: RECORDS } = cases(60);
const REDACT = { keys: SECRET_KEYS };

/** A service that keeps the bytes of all requests. */
async function openWire(
  status = 200,
  answer = '{}',
): Promise<{ url: string; bytes: () => string; bodies: () => unknown[] }> {
  const chunks: Buffer[] = [];
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    const own: Buffer[] = [];
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      own.push(chunk);
    });
    request.on('end', () => {
      bodies.push(Buffer.concat(own));
      response.writeHead(status).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    bytes: () => Buffer.concat(chunks).toString(),
    bodies: () => bodies.filter(({ length }) => length > 0).map((body) => JSON.parse(body.toString())),
  };
}

function optionsFor(url: string): IngesterOptions {
  const quick = { flushIntervalMs: 5, closeTimeoutMs: 9_000, maxQueueBytes: 100_000_000 };
  return { baseUrl: url, ingestToken: 'token', compression: 'none', redact: REDACT, ...quick };
}

/** The shortest secret. */
const PART = 12;

/** The secrets of which an output contains the start. */
function leaked(output: string, records: readonly SecretRecord[]): string[] {
  const starts = new Set(records.flatMap(({ secrets }) => secrets.map((secret) => secret.slice(0, PART))));
  return Array.from(output, (_, at) => output.substr(at, PART)).filter((part) => starts.has(part));
}

function recordsOf(seed: number, count = RECORDS): SecretRecord[] {
  const generator = new SecretRecords(seed);
  return Array.from({ length: count }, () => generator.next());
}

type Form = (options: IngesterOptions) => {
  readonly log: (record: SecretRecord) => void;
  readonly close: () => Promise<unknown> | undefined;
};

const FORMS: Readonly<Record<string, Form>> = {
  pino(options) {
    const stream = createPinoStream(options);
    const logger = pino(stream);
    return {
      log: ({ message, fields, error }) => logger.info({ ...fields, err: error }, message),
      close: () => new Promise((resolve) => stream.once('close', resolve).end()),
    };
  },
  winston(options) {
    const { format: _, ...rest } = options;
    const transport = new LogTransport({ ...(rest as object), worker: false });
    const logger = winston.createLogger({ transports: [transport] });
    return {
      log: ({ message, fields, error }) => logger.info(message, { ...fields, error }),
      close: () => transport.flush(),
    };
  },
  loglayer(options) {
    const transport = new LogLayerTransport({ ...(options as object), worker: false });
    const log = new LogLayer({ transport });
    return {
      log: ({ message, fields, error }) => log.withMetadata({ ...fields, error }).info(message),
      close: () => transport.close(),
    };
  },
  console(options) {
    vi.spyOn(console, 'info').mockImplementation(() => {});
    const restore = captureConsole({ ...(options as object), worker: false });
    return {
      log: ({ message, fields, error }) =>
        console.info(message, fields, ...(error === undefined ? [] : [error])),
      close: () => restore(),
    };
  },
  next(options) {
    const sink = new DeliverySink(options as object);
    return {
      log: ({ message, fields, error }) => sink.write('info', message, { ...fields, error }),
      close: () => sink.flush(),
    };
  },
  browser(options) {
    const site = new FakeSite();
    const { log: logger } = site.openPage({ maxQueueBytes: 50_000_000 });
    const handler = createIngestHandler({
      ...options,
      maxBodyBytes: 1_000_000,
      maxRequestsPerMinute: Number.POSITIVE_INFINITY,
      maxTotalRequestsPerMinute: Number.POSITIVE_INFINITY,
      allowedOrigins: ['https://shop.example'],
    });
    return {
      log: ({ message, fields, error }) => logger.info(message, { ...fields, error }),
      async close() {
        await logger.flush();
        const headers = { origin: 'https://shop.example', 'content-type': 'text/plain' };
        for (const body of site.received) {
          const request = new Request('https://shop.example/logs', {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          });
          expect((await handler(request)).status).toBe(204);
        }
        await handler.ingester.close();
      },
    };
  },
  'lines of JSON'(options) {
    const pipeline = new IngestPipeline(resolveIngesterOptions(options));
    return {
      log({ message, fields }) {
        const line = JSON.stringify({ message, ...fields });
        pipeline.addText(`{"timestamp":1,"attributes":${line},"rawstring":${JSON.stringify(line)}}`);
      },
      close: () => pipeline.close(),
    };
  },
  'lines of text'(options) {
    const pipeline = new IngestPipeline(forText(resolveIngesterOptions(options), { fields: {} }));
    return {
      log: ({ message, fields }) =>
        void pipeline.addText(JSON.stringify(`2026-01-01 INFO ${message} ${JSON.stringify(fields)}`)),
      close: () => pipeline.close(),
    };
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('redact', () => {
  it.each(Object.keys(FORMS))('sends none of the secrets of 300 generated records: %s', async (name) => {
    const records = recordsOf(name.length);
    const wire = await openWire();
    const { log, close } = FORMS[name]!(optionsFor(wire.url));
    for (const record of records) log(record);
    await close();
    expect(wire.bytes().length).toBeGreaterThan(50_000);
    expect(leaked(wire.bytes(), records)).toEqual([]);
  });

  it('keeps secrets from the spool, from hooks, events, stderr and counters', async () => {
    const records = recordsOf(99, 200);
    const wire = await openWire(503);
    const directory = mkdtempSync(join(tmpdir(), 'redact-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const outputs: unknown[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => outputs.push(text) > 0);
    const ingester = new Ingester({
      ...optionsFor(wire.url),
      closeTimeoutMs: 50,
      spool: { directory },
      onDrop: (drop) => outputs.push(drop.events, drop),
      onWarning: (warning) => void outputs.push(warning),
      maxQueueBytes: 10_000,
    });
    for (const name of ['drop', 'warn', 'stats'] as const)
      ingester.on(name, (value: unknown) => outputs.push(value));
    for (const { message, fields, error } of records)
      ingester.add({ attributes: { message, ...fields, error } });
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile());
    outputs.push(...files.map((path) => readFileSync(path, 'latin1')));
    await ingester.close();
    outputs.push(ingester.stats);
    stderr.mockRestore();
    expect(String(outputs.map((output) => JSON.stringify(output))).length).toBeGreaterThan(20_000);
    expect(
      leaked(
        outputs.map((output) => (typeof output === 'string' ? output : JSON.stringify(output))).join('\n'),
        records,
      ),
    ).toEqual([]);
    expect(ingester.stats.redacted).toBeGreaterThanOrEqual(records.length);
  });

  it('gives hooks the redacted events of records that are dropped', async () => {
    const records = recordsOf(7, 200);
    const wire = await openWire(503);
    const dropped: string[] = [];
    const ingester = new Ingester({
      ...optionsFor(wire.url),
      maxQueueBytes: 5_000,
      closeTimeoutMs: 20,
      onWarning: () => {},
      onDrop: ({ events }) => void dropped.push(...events),
    });
    for (const { message, fields, error } of records)
      ingester.add({ attributes: { message, ...fields, error } });
    await ingester.close();
    expect(dropped).toHaveLength(200);
    expect(leaked(dropped.join('\n'), records)).toEqual([]);
  });

  it('changes nothing else: all records without secrets arrive byte for byte', async () => {
    const events = Array.from({ length: 500 }, (_, n) => {
      const attributes = `{"n": 1.50e${n % 9}, "id":1${n}00000000000000000001,"text":"größe \\u00e9 \\/ ${n}","list":[1,{"passwords":3}],"isPassword":true}`;
      return `{"timestamp":1700000000000,"attributes":${attributes}}`;
    });
    const wire = await openWire();
    const ingester = new Ingester(optionsFor(wire.url));
    for (const event of events) ingester.addText(event);
    await ingester.close();
    expect(events.filter((event) => !wire.bytes().includes(event))).toEqual([]);
    expect(ingester.stats.redacted).toBe(0);
  });

  it('keeps digits and whitespace around a replaced value', async () => {
    const wire = await openWire();
    const ingester = new Ingester(optionsFor(wire.url));
    ingester.addText('{"timestamp":1,"attributes":{ "a": 1.50, "ssn" : [1, 2], "b": 1e400}}');
    await ingester.close();
    expect(wire.bytes()).toContain('{ "a": 1.50, "ssn" : "[redacted]", "b": 1e400}');
    expect(ingester.stats.redacted).toBe(1);
  });

  it('counts the values of a record that is added again after a rejection once', async () => {
    const wire = await openWire();
    const ingester = new Ingester({ ...optionsFor(wire.url), overflow: 'block', maxQueueBytes: 1_000 });
    const event = { attributes: { ssn: '123-45-6789', pin: '1234', text: 'x'.repeat(700) } };
    expect([ingester.add(event), ingester.add(event)]).toEqual([true, false]);
    expect(ingester.stats.redacted).toBe(2);
    await ingester.drained();
    ingester.add(event);
    await ingester.close();
    expect(ingester.stats.redacted).toBe(4);
  });

  it('redacts tags, whose values come from fields', async () => {
    const wire = await openWire();
    const ingester = new Ingester({ ...optionsFor(wire.url), tagFields: ['ssn', 'service'] });
    ingester.add({ attributes: { ssn: '123-45-6789', service: 'shop' } });
    await ingester.close();
    expect(wire.bodies()).toMatchObject([[{ tags: { ssn: '[redacted]', service: 'shop' } }]]);
  });

  it('drops, counts and reports a record that is not JSON, and tells hooks nothing about its content', async () => {
    const wire = await openWire();
    const outputs: unknown[] = [];
    const ingester = new Ingester({
      ...optionsFor(wire.url),
      onDrop: ({ reason, records, events }) => outputs.push({ reason, records, events }),
      onWarning: ({ kind }) => void outputs.push(kind),
    });
    ingester.addText('{"timestamp":1,"attributes":{"password":"hunter2"');
    ingester.addText(
      `{"timestamp":1,"attributes":{"password":${'['.repeat(200_000)}"hunter2"${']'.repeat(200_000)}}}`,
    );
    await ingester.close();
    expect(wire.bytes()).not.toContain('hunter2');
    expect(outputs).toContainEqual({ reason: 'unredactable', records: 1, events: [] });
    expect(outputs).toContain('unredactable');
    expect(ingester.stats.accepted).toBe(2);
    expect(ingester.stats.dropped.unredactable + ingester.stats.redacted).toBe(2);
  });

  it('redacts before a record is shortened, so that no part of a secret is left', async () => {
    const wire = await openWire();
    const ingester = new Ingester({ ...optionsFor(wire.url), maxEventBytes: 1_024 });
    for (let length = 850; length < 1_050; length++) {
      ingester.add({ attributes: { text: `${'x'.repeat(length)} ghp_${'Secret7'.repeat(6)}` } });
    }
    await ingester.close();
    expect(wire.bytes()).not.toContain('ghp_');
  });

  it.each([600, 1_200])(
    'redacts what the service responds before it is cut, so that no part of a secret is left: from character %i',
    async (from) => {
      for (let length = from - 60; length < from; length += 7) {
        const outputs: unknown[] = [];
        const wire = await openWire(400, `${'x '.repeat(length / 2)} ghp_${'Secret7'.repeat(6)}`);
        const ingester = new Ingester({
          ...optionsFor(wire.url),
          onWarning: (warning) => outputs.push(warning),
        });
        ingester.add({ attributes: { message: 'a' } });
        await ingester.close();
        expect(JSON.stringify(outputs)).toContain('rejected by the service');
        expect(JSON.stringify(outputs)).not.toContain('ghp_');
      }
    },
  );

  it('redacts values that are cut before: the error of a getter, and a text of a browser', async () => {
    const wire = await openWire();
    const ingester = new Ingester(optionsFor(wire.url));
    for (let length = 950; length < 1_010; length++) {
      const text = `${'x'.repeat(length)} ghp_${'Secret7'.repeat(6)}`;
      ingester.add({
        attributes: {
          get failing(): unknown {
            throw new Error(text);
          },
        },
      });
      const browserText = `${'x'.repeat(9_000)}${text}`;
      ingester.add({ attributes: JSON.parse(serialize({ browserText })) });
    }
    await ingester.close();
    expect(wire.bytes()).toContain('[Throws: xxx');
    expect(wire.bytes()).not.toContain('ghp_');
  });

  it.each(['', 'hidden value', '[redacted]'])(
    'redacts records once, also if they wait in a spool: replacement %j',
    async (replacement) => {
      const directory = mkdtempSync(join(tmpdir(), 'redact-'));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const wire = await openWire();
      const redact = { ...REDACT, replacement };
      const ingester = new Ingester({ ...optionsFor(wire.url), redact, spool: { directory } });
      ingester.add({
        attributes: { a: 'login password=hunter2 end of text', b: '{"set-cookie":["a=b"]},"c"' },
      });
      await ingester.close();
      const attributes = {
        a: `login password=${replacement} end of text`,
        b: `{"set-cookie":${replacement}},"c"`,
      };
      expect(wire.bodies()).toMatchObject([[{ events: [{ attributes }] }]]);
      expect(ingester.stats.redacted).toBe(2);
    },
  );

  it('redacts records that another process has spooled without it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'redact-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const wire = await openWire(503);
    const options = {
      ...optionsFor(wire.url),
      closeTimeoutMs: 20,
      spool: { directory },
      onWarning: () => {},
    };
    const before = new Ingester({ ...options, redact: false });
    before.add({ attributes: { ssn: '123-45-6789' } });
    await before.close();
    const working = await openWire();
    const after = new Ingester({ ...options, baseUrl: working.url, closeTimeoutMs: 9_000 });
    await after.close();
    expect(working.bytes()).not.toContain('123-45');
  });

  it('removes secrets from the error of a record that cannot be read', async () => {
    const wire = await openWire();
    const warnings: string[] = [];
    const options = { ...(optionsFor(wire.url) as object), worker: false };
    const onWarning = ({ message }: Warning) => void warnings.push(message);
    const resolved = resolveEventTransportOptions({ ...options, onWarning }, 'test');
    const delivery = new EventDelivery(new EventEmitter(), resolved, () => {
      throw new Error('password=hunter2hunter2');
    });
    delivery.add({});
    await delivery.close();
    expect(warnings.join()).toMatch(/can't be read/);
    expect(warnings.join()).not.toContain('hunter2');
  });
});

it('The warning that a destination is missing has no text that looks like a secret, so redact leaves it whole', () => {
  const warnings: Warning[] = [];
  for (const name of CONNECTION_VARIABLES) vi.stubEnv(name, '');
  vi.stubEnv('LOGCLIENT_DISCOVERY', 'off');
  const transport = new LogTransport({ redact: true, onWarning: (warning) => warnings.push(warning) });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    transport.destroy();
  });
  winston.createLogger({ transports: [transport] }).info('hello');
  expect(warnings[0]?.message).toContain('LogTransport needs a token. Pass "ingestToken"');
});
