import fc from 'fast-check';
import pino, { type LoggerOptions } from 'pino';
import { describe, expect, it } from 'vitest';
import { byteLine, lineText } from '../../src/ingest/record/line-bytes.ts';
import { safeJsonObject } from '../../src/ingest/record/safe-json.ts';
import { TagWriter } from '../../src/ingest/record/tags.ts';
import { PinoEventMapper } from '../../transports/pino/pino-event.ts';
import { PinoSplicer } from '../../transports/pino/pino-splicer.ts';
import { cases } from '../helpers/laws.ts';

type Options = LoggerOptions<'notice'>;

const NOW = 1_800_000_000_000;

function event(line: string, labels?: Record<string, string>): unknown {
  const mapper = new PinoEventMapper(new TagWriter({}, []));
  if (labels !== undefined) mapper.configure({ levels: { labels } });
  return JSON.parse(mapper.recordOf(byteLine(line), NOW).eventText);
}

describe('A pino line', () => {
  it('is spliced: the level becomes its label, the time the timestamp, and the rest keeps its text', () => {
    const mapper = new PinoEventMapper(new TagWriter({}, []));
    const record = mapper.recordOf(
      byteLine('{"level":30,"time":1700000000000,"pid":7,"n":7.0,"msg":"hi"}'),
      NOW,
    );
    expect(record.eventText).toBe(
      '{"timestamp":1700000000000,"attributes":{"level":"info","pid":7,"n":7.0,"msg":"hi"}}',
    );
  });

  it.each([
    ['{"level":35,"time":1700000000000}', { level: 'notice' }],
    ['{"level":99,"time":1700000000000}', { level: 99 }],
    ['{"level":"INFO","time":1700000000000}', { level: 'INFO' }],
    ['{"severity":"INFO","time":1700000000000,"a":1}', { severity: 'INFO', a: 1 }],
    ['{"time":1700000000000,"level":35}', { level: 'notice' }],
    ['{"time":1700000000000}', {}],
    [
      '{"a":1,"time":1700000000000,"b":{"time":5,"level":30},"level":35}',
      { a: 1, b: { time: 5, level: 30 }, level: 'notice' },
    ],
    ['{"level":35,"time":1700000000000,"level":"x"}', { level: 'x' }],
    ['{"level":35,"t\\u0069me":1700000000000}', { level: 'notice' }],
    [
      '{"level":35,"time":1700000000000,"pid":7,"time":1556668800000}',
      { level: 'notice', pid: 7, time: 1_556_668_800_000 },
    ],
    [
      '{"severity":"INFO","level":35,"time":1700000000000,"time":5}',
      { severity: 'INFO', level: 'notice', time: 5 },
    ],
  ])('%s keeps its fields', (line, attributes) => {
    expect(event(line, { 35: 'notice' })).toEqual({ timestamp: 1_700_000_000_000, attributes });
  });

  it('without a time directly behind its level has a field named time, and the time of its arrival', () => {
    for (const line of [
      '{"level":30,"pid":7,"time":1556668800000}',
      '{"pid":7,"a":1,"time":"2019-05-01T00:00:00Z"}',
    ]) {
      const { time, ...attributes } = JSON.parse(line);
      const shown = { ...attributes, ...(attributes.level === 30 && { level: 'info' }), time };
      expect(event(line)).toEqual({ timestamp: NOW, attributes: shown });
    }
  });

  it.each([
    ['1700000000123', 1_700_000_000_123],
    ['1700000000', 1_700_000_000_000],
    ['1700000000.123', 1_700_000_000_123],
    ['1700000000123456', 1_700_000_000_123],
    ['1700000000123456789', 1_700_000_000_123],
    ['"1700000000123"', 1_700_000_000_123],
    ['"2023-11-14T22:13:20.123Z"', '2023-11-14T22:13:20.123Z'],
    ['"2023-11-14T22:13:20.123456789Z"', '2023-11-14T22:13:20.123456789Z'],
    ['"2023-11-14T23:13:20+01:00"', '2023-11-14T23:13:20+01:00'],
  ])('with the time %s gets that timestamp', (time, timestamp) => {
    expect(event(`{"level":30,"time":${time},"a":1}`)).toEqual({
      timestamp,
      attributes: { level: 'info', a: 1 },
    });
  });

  it.each(['"12:30"', 'null', '{"a":1}', '-5', 'true', '"2023-99-14T22:13:20Z"', '"2023-11-14 22:13:20"'])(
    'with the time %s keeps it as a field and gets the time of arrival',
    (time) => {
      expect(event(`{"level":30,"time":${time}}`)).toEqual({
        timestamp: NOW,
        attributes: { level: 'info', time: JSON.parse(time) },
      });
    },
  );

  it('without a time gets the time of arrival', () => {
    expect(event('{"level":30,"msg":"hi"}')).toEqual({
      timestamp: NOW,
      attributes: { level: 'info', msg: 'hi' },
    });
  });

  it.each([
    'plain text',
    '{"level":30,"time":1700000000000,"msg":undefined}',
    '[1]',
    '"text"',
    '7',
    'null',
    '{"a":1',
  ])('becomes the raw string of an event if it is not a JSON object: %s', (line) => {
    expect(event(line)).toEqual({ timestamp: NOW, attributes: {}, rawstring: line });
  });

  it('can set tags from fields, with the label of the level', () => {
    const mapper = new PinoEventMapper(new TagWriter({ service: 'shop' }, ['level', 'n', 'o', 'time']));
    const line = '{"level":50,"time":1700000000000,"n":7.0,"o":{"a":1},"msg":"hi"}';
    const expected = '{"level":"error","n":"7","service":"shop"}';
    expect(mapper.recordOf(byteLine(line), NOW).tagsText).toBe(expected);
    expect(mapper.parse(line, NOW).tagsText).toBe(expected);
  });
});

describe('A pino line with unusual JSON', () => {
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}7.0${'}'.repeat(levels)}`;

  it('has values that are nested too deeply as JSON text, which is cut below 100 more levels', () => {
    const text = (levels: number): string =>
      new PinoEventMapper(new TagWriter({}, [])).recordOf(
        byteLine(`{"level":30,"v":${deep(levels)},"n":7.0}`),
        NOW,
      ).eventText;
    const cut = deep(100).replace('7.0', '"[Cut]"');
    const rows = [
      [23, '7.0'],
      [24, JSON.stringify(deep(1))],
      [123, JSON.stringify(deep(100))],
      [124, JSON.stringify(cut)],
      [100_000, JSON.stringify(cut)],
    ] as const;
    for (const [levels, inner] of rows) {
      expect(text(levels)).toBe(
        `{"timestamp":${NOW},"attributes":{"level":"info","v":${deep(23).replace('7.0', inner)},"n":7.0}}`,
      );
    }
    for (const levels of [30, 300]) {
      const value: unknown = JSON.parse(deep(levels));
      expect(JSON.parse(text(levels).replace('7.0', '7')).attributes.v).toEqual(
        JSON.parse(safeJsonObject({ v: value })).v,
      );
    }
  });

  it('keeps the digits of its numbers, even if it must be parsed', () => {
    const line = `{"time":1700000000000,"level":30,"id":12345678901234567890,"v":${deep(30)},"e":1e400,"z":-0}`;
    const text = new PinoEventMapper(new TagWriter({}, [])).recordOf(byteLine(line), NOW).eventText;
    expect(text).toContain('"level":"info","id":12345678901234567890,"v":');
    expect(text).toContain('"e":1e400,"z":-0}');
  });

  it.each([
    ['"\\ud800"', '\ufffd'],
    ['"a\\uDC00b"', 'a\ufffdb'],
    ['"\\ud83d\\ude00\\ude00"', '\u{1f600}\ufffd'],
    ['"\\\\ud800"', '\\ud800'],
    ['{"\\ud800":1}', { '\ufffd': 1 }],
  ])('contains U+FFFD instead of unpaired surrogates: %s', (json, value) => {
    expect(event(`{"level":30,"v":${json}}`)).toMatchObject({ attributes: { v: value } });
  });

  it('can contain whitespace, and the last of duplicate names wins', () => {
    expect(
      event(' { "level" : 30 , "a" : [ 1 , { "b" : "}" } ] , "a" : 2 , "__proto__" : { "x" : 1 } } '),
    ).toEqual({
      timestamp: NOW,
      attributes: JSON.parse('{"level":"info","a":2,"__proto__":{"x":1}}'),
    });
  });
});

describe('Splicing', () => {
  /** JSON as written by pino, and by other programs. */
  const json = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.constantFrom(
      '7.0',
      '-0',
      '1e5',
      '1E+40',
      '-1e400',
      '01',
      '.5',
      '1.',
      '-',
      '"\\u00e9\\n"',
      '"\\x"',
      '"\ud800"',
      '"\\ud800"',
      '"\\\\ud800"',
      '"\\ud83d\\ude00\\uDE00"',
      '"\\uD83D"',
      '12345678901234567890',
      `${'['.repeat(30)}1${']'.repeat(30)}`,
      `${'{"a":'.repeat(23)}{}${'}'.repeat(23)}`,
      `${'{"a":['.repeat(15)}"]"${']}'.repeat(15)}`,
      '"\u0001"',
      '""',
    ),
  );
  const time = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 45 }).map(String),
    fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String),
    fc.double({ noNaN: true }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date)),
    json,
  );
  const level = fc.oneof(fc.constantFrom('30', '30.0', '3e1', '50', '"info"', '35', '-1'), json);
  const name = fc.oneof(
    fc.constantFrom('a', 'level', 'time', 'msg', '__proto__', 'constructor', '#service', '_#service', '#b'),
    fc.string(),
  );
  const member = fc.oneof(
    fc.tuple(fc.constant('level'), level),
    fc.tuple(fc.constant('time'), time),
    fc.tuple(name, json),
  );
  const head = fc.tuple(level, time).map(([l, t]) => [`"level":${l}`, `"time":${t}`]);
  const members = fc.array(
    member.map(([n, value]) => `${JSON.stringify(n)}:${value}`),
    { maxLength: 5 },
  );
  const line = fc
    .tuple(fc.oneof(head, fc.constant([])), members)
    .map(([first, rest]) => `{${[...first, ...rest].join(',')}}`);
  /** A line with one character removed, inserted or duplicated. */
  const damaged = fc
    .tuple(line, fc.nat(), fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '0', ' ', '\t', 'x'))
    .map(([text, position, insert]) => {
      const at = position % (text.length + 1);
      return text.slice(0, at) + insert + text.slice(at + (insert === '' ? 1 : 0));
    });

  it.each([
    ['whole', line],
    ['damaged', damaged],
  ])('returns the same event and tags as parsing, for %s lines', (_, lines) => {
    const mapper = new PinoEventMapper(new TagWriter({ service: 'shop' }, ['level', 'msg', 'a']));
    mapper.configure({ levels: { labels: { 30: 'info', 35: 'not"ice', 50: 'error' } } });
    fc.assert(
      fc.property(lines, (text) => {
        const bytes = byteLine(text);
        const spliced = mapper.recordOf(bytes, NOW);
        const parsed = mapper.parse(lineText(bytes), NOW);
        expect(JSON.parse(spliced.eventText)).toEqual(JSON.parse(parsed.eventText));
        expect(spliced.tagsText).toBe(parsed.tagsText);
        const sent: unknown = JSON.parse(Buffer.from(spliced.eventText).toString());
        // JSON.stringify only escapes lone surrogates; two backslashes are one in the program's text.
        expect(JSON.stringify(sent).replaceAll('\\\\', '')).not.toMatch(/\\ud[89a-f]/);
      }),
      cases(300),
    );
  });

  const bindings = fc.dictionary(
    fc.oneof(fc.constantFrom('a', 'level', 'time', 'msg', '#service', '#a'), fc.string()),
    json.map(parsed),
    {
      maxKeys: 3,
    },
  );
  /** Options of pino that change the format of its lines. */
  const pinoOptions: fc.Arbitrary<Options> = fc.record(
    {
      base: fc.oneof(fc.constant(null), fc.constant({ pid: 7, hostname: 'h"ost', service: 'é' })),
      messageKey: fc.constantFrom('msg', 'message', 'a', 'time', 'a"b'),
      errorKey: fc.constantFrom('err', 'level'),
      nestedKey: fc.constantFrom('payload', 'level', 'msg'),
      timestamp: fc.constantFrom<Options['timestamp'][]>(
        false,
        pino.stdTimeFunctions.epochTime,
        pino.stdTimeFunctions.isoTime,
        pino.stdTimeFunctions.unixTime,
        () => ',"time":"12:30"',
        () => ',"@timestamp":1700000000000',
        () => ', "time" : 1700000000000',
      ),
      formatters: fc.constantFrom<Options['formatters'][]>(
        { level: (label) => ({ level: label }) },
        { level: (label, number) => ({ severity: label.toUpperCase(), level: number }) },
        { log: (fields) => ({ ...fields, extra: { time: 1 } }) },
        { bindings: () => ({}) },
      ),
      redact: fc.constantFrom(['a'], ['*.a', 'level']),
      msgPrefix: fc.constantFrom('[x] ', '"'),
    },
    { requiredKeys: [] },
  );

  it('returns the same event and tags as parsing, for pino lines with any options', () => {
    const mapper = new PinoEventMapper(new TagWriter({ service: 'shop' }, ['level', 'a', 'severity', 'é']));
    mapper.configure({ levels: { labels: { 30: 'info', 35: 'notice', 50: 'error' } } });
    let spliced = 0;
    const splicer = new PinoSplicer(new TagWriter({}, []));
    fc.assert(
      fc.property(pinoOptions, bindings, bindings, fc.string(), (options, child, fields, message) => {
        const lines: string[] = [];
        const logger = pino<'notice'>(
          { ...options, customLevels: { notice: 35 } },
          { write: (text) => void lines.push(text) },
        );
        const own = logger.child({ ...child });
        own.notice({ ...fields }, message);
        own.error(new Error(message), 'failed %s', message);
        for (const text of lines.map((each) => each.slice(0, -1))) {
          const line = byteLine(text);
          const expected = mapper.parse(lineText(line), NOW);
          const { eventText, tagsText } = mapper.recordOf(line, NOW);
          expect(JSON.parse(eventText)).toEqual(JSON.parse(expected.eventText));
          expect(tagsText).toBe(expected.tagsText);
          if (splicer.splice(line, NOW) !== undefined) spliced++;
        }
      }),
      cases(150),
    );
    // Both code paths are used.
    expect(spliced).toBeGreaterThan(40);
    expect(spliced).toBeLessThan(800);
  });
});

/** The value that a program would log to get this text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
