import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPinoStream } from '../../transports/pino/index.ts';
import { oddValues } from '../fixtures/odd-values.mjs';
import { startDelivery } from '../helpers/delivery.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';

const names = Object.keys(oddValues);

/** A value nested as deep as the limit, as the field of an event. */
function deep(name: string, end: unknown, levels: number): object {
  let value = end;
  for (let level = 0; level < levels; level++) value = { [name]: value };
  return value as object;
}

const brackets = (levels: number, json: string): unknown =>
  JSON.parse(`${'['.repeat(levels)}${json}${']'.repeat(levels)}`);

const tooDeep = deep('deeper', JSON.stringify(deep('deeper', '[Cut]', 100)), 23);

/** pino's text for a value that it can't serialize; the transport receives nothing else. */
const unserializable = '[unable to serialize, circular reference is too complex to analyze]';

const error = {
  name: 'TypeError',
  message: 'top',
  stack: expect.stringContaining('TypeError: top\n    at '),
  code: 'E_TOP',
  cause: { name: 'RangeError', message: 'root', cause: 'text' },
};

/** The delivered value: from winston, and from pino if it differs. Values of more than 1,000 names are text. */
const facts: Record<string, { winston: unknown; pino?: unknown }> = {
  circular: { winston: { name: 'ring', self: '[Circular]', list: ['[Circular]'] } },
  bigint: { winston: '12345678901234567890', pino: Number('12345678901234567890') },
  undefined: { winston: undefined },
  function: { winston: undefined },
  symbol: { winston: undefined },
  'error with cause': { winston: error, pino: { code: 'E_TOP' } },
  'aggregate error': {
    winston: { name: 'AggregateError', message: 'many', errors: [error, 'text'] },
    pino: {},
  },
  'error of an old class': {
    winston: { name: 'OldError', message: 'old', stack: expect.stringContaining('    at ') },
    pino: { message: 'old' },
  },
  buffer: {
    winston: `[5000 bytes] ${Buffer.alloc(96, 'ab').toString('base64')}…`,
    pino: { type: 'Buffer', data: JSON.stringify([...Buffer.alloc(5_000, 'ab')]) },
  },
  date: { winston: '2023-11-14T22:13:20.000Z' },
  'invalid date': { winston: null },
  map: { winston: { a: 1, '[object Object]': { 2: 'b' } }, pino: {} },
  set: { winston: [1, ['a']], pino: {} },
  'throwing toJSON': { winston: '[Throws: boom]', pino: unserializable },
  'throwing getter': { winston: { kept: 1, bad: '[Throws: boom]' }, pino: unserializable },
  'lone surrogate': { winston: 'a\ufffdb\ufffdc 😀' },
  'lone surrogate in a name': { winston: { 'a\ufffd': 1 } },
  nan: { winston: 'NaN', pino: null },
  infinity: { winston: '-Infinity', pino: null },
  ['__proto__']: {
    winston: JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  },
  'hostile proxy': { winston: '[Throws: boom]', pino: unserializable },
  'revoked proxy': { winston: expect.stringMatching(/^\[Throws: .*revoked\]$/), pino: unserializable },
  'recursive proxy': { winston: { a: { a: {} } } },
  'typed array': { winston: '[16 bytes] AAAAAAAA8D8AAAAAAAAAQA==', pino: { 0: 1, 1: 2 } },
  'array buffer': { winston: '[2 bytes] AAA=', pino: {} },
  url: { winston: 'https://user@example.com/a?b=c' },
  'null prototype': { winston: { a: 1 } },
  'nested 20,000 deep': { winston: tooDeep, pino: deep('deeper', '[Object]', 5) },
  'nested 2,000 deep': { winston: tooDeep },
  nul: { winston: 'a\0b' },
  'endless getters': { winston: { name: 'endless', next: { name: 'endless', next: {} } } },
  'endless toJSON': { winston: '[Cut]', pino: {} },
  'toJSON that gives undefined': { winston: undefined },
  'unprintable error': { winston: { message: '[Throws: boom]', stack: '[Throws: boom]' }, pino: {} },
  'sparse array': { winston: expect.stringMatching(/^\[(null,){1000}/) },
  'object without text': { winston: { kept: 1 } },
  'empty text': { winston: '' },
};

describe.each(['pino worker', 'pino in-process', 'winston worker', 'winston in-process'])(
  'Unusual values with the %s',
  (logging) => {
    const isPino = logging.startsWith('pino');
    let sink: IngestSink;
    let run: NodeRun;

    beforeAll(async () => {
      sink = await IngestSink.open();
      run = await runNode('test/fixtures/log-odd-values.mjs', { SINK_URL: sink.url, LOGGING: logging });
    });

    afterAll(() => sink.close());

    it('make no log call throw, print nothing, and change no prototype', () => {
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(run.stdout)).toEqual({ thrown: [], isPolluted: false });
    });

    it(`are delivered with the records around them, once and in order: all ${names.length}`, () => {
      const messages = sink.events.map(({ attributes }) => attributes[isPino ? 'msg' : 'message']);
      expect(messages).toEqual(names.flatMap((name) => [`before ${name}`, name, `after ${name}`]));
      for (const { attributes } of sink.events) expect(attributes.level).toBe('info');
    });

    it.each(names)('arrive with as much as possible of "%s"', (name) => {
      const { winston, pino = winston } = facts[name.replace(' of another realm', '')]!;
      const event = sink.events[names.indexOf(name) * 3 + 1];
      expect({ value: undefined, ...event?.attributes }).toMatchObject({ value: isPino ? pino : winston });
    });
  },
);

describe('Lines that pino did not write', () => {
  it('are delivered as raw strings unless they are JSON objects, and do not affect other lines', async () => {
    const { options, sink } = await startDelivery();
    const stream = createPinoStream(options);
    const lines: (string | Buffer)[] = [
      '{"msg":"a"}',
      Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc3, 0x22, 0x7d]),
      '{"msg":"b"}',
      'a\0b',
      '{"msg":undefined}',
      '{"msg":"c"',
      '[1,2]',
      '{"msg":"half \ud83d pair"}',
      `${'['.repeat(100_000)}`,
      `{"v":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      '{"msg":"d"}',
    ];
    for (const line of lines) {
      stream.write(line);
      stream.write('\n');
    }
    stream.end();
    await once(stream, 'close');
    expect(sink.events.map(({ attributes, rawstring }) => rawstring?.slice(0, 20) ?? attributes)).toEqual([
      { msg: 'a' },
      { a: '\ufffd\ufffd' },
      { msg: 'b' },
      'a\0b',
      '{"msg":undefined}',
      '{"msg":"c"',
      '[1,2]',
      { msg: 'half \ufffd pair' },
      '['.repeat(20),
      { v: brackets(23, JSON.stringify(JSON.stringify(brackets(100, '"[Cut]"')))) },
      { msg: 'd' },
    ]);
  });
});

describe.each(['winston worker', 'winston in-process'])('A crash that is handled by the %s', (logging) => {
  it.concurrent.each([
    [
      'exception with',
      'throwing getter',
      { error: { message: 'crashed', value: { kept: 1, bad: '[Throws: boom]' } } },
    ],
    ['rejection with', 'hostile proxy', { error: { message: 'crashed', value: '[Throws: boom]' } }],
    ['exception itself', 'circular', { error: { name: 'ring', self: '[Circular]' } }],
  ])('delivers the %s "%s" and exits', async (crash, value, attributes) => {
    const sink = await IngestSink.open();
    const env = { SINK_URL: sink.url, LOGGING: logging, CRASH: crash, VALUE: value };
    const { code, stderr } = await runNode('test/fixtures/winston-odd-crash.mjs', env);
    await sink.close();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(sink.events.map((event) => event.attributes)).toMatchObject([{ message: 'before' }, attributes]);
  });
});
