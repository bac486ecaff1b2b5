import { once } from 'node:events';
import pino from 'pino';
import { expect, it } from 'vitest';
import winston from 'winston';
import { Ingester } from '../../src/ingest/ingester.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

/** The built package, whose worker files can be loaded. */
const { createPinoStream, createPinoTransport, flush }: typeof import('../../transports/pino/index.ts') =
  await import('logclient/pino' as string);
const { LogTransport }: typeof import('../../transports/winston/index.ts') = await import(
  'logclient/winston' as string
);

interface Options {
  readonly baseUrl: string;
  readonly ingestToken: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly tagFields: readonly string[];
}

async function logPino(
  stream: pino.DestinationStream & NodeJS.EventEmitter & { end(): void },
  fields: object,
) {
  pino({ base: null }, stream).info(fields);
  // `end` of pino's worker would block this thread, in which the sink runs.
  await flush(stream);
  stream.end();
  await once(stream, 'close');
}

async function logWinston(transport: InstanceType<typeof LogTransport>, fields: object) {
  winston.createLogger({ transports: [transport] }).info({ message: 'hello', ...fields });
  transport.close();
  await transport.flush();
}

async function ingest(options: Options, add: (ingester: Ingester) => void) {
  await using ingester = new Ingester(options);
  add(ingester);
}

/** Each delivers a record with these fields. */
const FORMS: Readonly<Record<string, (options: Options, fields: object) => Promise<void>>> = {
  'pino.transport': (options, fields) =>
    logPino(pino.transport({ target: 'logclient/pino', options }), fields),
  createPinoTransport: (options, fields) => logPino(createPinoTransport(options), fields),
  createPinoStream: (options, fields) => logPino(createPinoStream(options), fields),
  LogTransport: (options, fields) => logWinston(new LogTransport(options), fields),
  'LogTransport with worker: false': (options, fields) =>
    logWinston(new LogTransport({ ...options, worker: false }), fields),
  'Ingester.add': (options, attributes) => ingest(options, (ingester) => ingester.add({ attributes })),
  'Ingester.addText': (options, attributes) =>
    ingest(options, (ingester) => ingester.addText(JSON.stringify({ timestamp: Date.now(), attributes }))),
};

it.each(Object.entries(FORMS))('%s renames only the fields that would override a tag', async (_, deliver) => {
  const sink = await IngestSink.open();
  const options = {
    baseUrl: sink.url,
    ingestToken: 'token',
    tags: { service: 'shop' },
    tagFields: ['region'],
  };
  const nested = { '#service': 'nested' };
  await deliver(options, { '#service': 'a', '#region': 'b', '#other': 'c', nested });
  await deliver(options, { '#service': 'd', '_#service': 'e' });
  await sink.close();
  const fields = sink.events.map(({ attributes }) => {
    const { level, message, ...rest } = attributes;
    return rest;
  });
  expect(fields).toEqual([
    { '_#service': 'a', '_#region': 'b', '#other': 'c', nested },
    { '__#service': 'd', '_#service': 'e' },
  ]);
  expect(sink.requests.flatMap(({ groups }) => groups.map(({ tags }) => tags))).toEqual([
    { service: 'shop' },
    { service: 'shop' },
  ]);
});

it('createPinoStream renames fields with escaped names, and first fields, that would override a tag', async () => {
  const sink = await IngestSink.open();
  const stream = createPinoStream({ baseUrl: sink.url, ingestToken: 'token', tags: { service: 'shop' } });
  stream.write('{"level":30,"time":1700000000000,"\\u0023service":"a"}\n');
  stream.write('{"level":30,"time":1700000000000,"#\\u0073ervice":"b"}\n');
  stream.write('{"#service":"c","time":1700000000000}\n');
  stream.end();
  await once(stream, 'close');
  await sink.close();
  expect(sink.events.map(({ attributes }) => attributes)).toEqual([
    { level: 'info', '_#service': 'a' },
    { level: 'info', '_#service': 'b' },
    { '_#service': 'c' },
  ]);
});
