import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrittenTimes } from '../../../src/core/records/formats/written-times.ts';
import { readLogLine } from '../../../src/core/records/log-line.ts';
import { splitRecords } from '../../../src/core/records/log-records.ts';
import { loggedLine } from '../../../src/core/records/logged-line.ts';
import { structuredLines } from '../../../src/core/records/structured-lines.ts';
import { tryOr } from '../../../src/core/try-or.ts';
import { LineQuery } from '../../../src/server/line-query/index.ts';
import { cases } from '../../helpers/laws.ts';
import { privateKey } from '../../helpers/private-key.ts';

async function recordsOf(...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const bytes = (async function* () {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  })();
  const records: string[] = [];
  for await (const some of splitRecords(bytes)) records.push(...some);
  return records;
}

const STACKS: Readonly<Record<string, string>> = {
  Java: [
    '2026-11-28 04:14:55,759 [main] ERROR com.example.Shop - order failed',
    'java.lang.IllegalStateException: no stock',
    '\tat com.example.Shop.order(Shop.java:12) ~[shop.jar:1.0]',
    'Caused by: java.sql.SQLException: closed',
    '\t... 12 more',
  ].join('\n'),
  Python: [
    'ERROR:root:order failed',
    'Traceback (most recent call last):',
    '  File "/srv/shop.py", line 12, in order',
    "    raise KeyError('日本語')",
    'KeyError: 日本語',
    '',
    'During handling of the above exception, another exception occurred:',
    '',
    'Traceback (most recent call last):',
    '  File "/srv/shop.py", line 14, in order',
    'requests.exceptions.Timeout: slow',
  ].join('\n'),
  'Python without a log': [
    'Traceback (most recent call last):',
    '  File "/srv/shop.py", line 12, in order',
    'ValueError: no stock',
  ].join('\n'),
  Go: [
    '2026/11/28 04:14:55 http: panic serving 10.0.0.1:1: no stock',
    'goroutine 7 [running]:',
    'net/http.(*conn).serve.func1()',
    '\t/usr/local/go/src/net/http/server.go:1868 +0xb9',
    'panic({0x1234?, 0x5678?})',
    '\t/usr/local/go/src/runtime/panic.go:920 +0x270',
    'created by net/http.(*Server).Serve in goroutine 1',
    '\t/usr/local/go/src/net/http/server.go:3086 +0x5cb',
  ].join('\n'),
  '.NET': [
    '2026-11-28 04:14:55.759 +00:00 [ERR] order failed',
    'System.InvalidOperationException: no stock',
    ' ---> System.TimeoutException: slow',
    '   at Shop.Orders.Place() in C:\\shop\\Orders.cs:line 12',
    '   --- End of inner exception stack trace ---',
  ].join('\r\n'),
  Node: [
    '2026-11-28T04:14:55.759Z error: order failed',
    'TypeError: no stock',
    '    at order (/srv/shop.js:1:2) {',
    "  code: 'E_STOCK',",
    '}',
  ].join('\n'),
  'Node that crashes': [
    '/srv/shop.js:12',
    "    throw new Error('no stock')",
    '    ^',
    '',
    'Error: no stock',
    '    at order (/srv/shop.js:12:11)',
  ].join('\n'),
  'Java below a message of several lines': [
    '[2026-11-28 04:14:55,759] ERROR Query failed:',
    'SELECT id',
    "FROM orders WHERE placed > '2026-11-28 04:00'",
    '<7 rows>',
    '1 of 2',
    'com.example.DbException: gone',
    'Detail: closed',
    '\tat com.example.Shop.order(Shop.java:12)',
    'Caused by: java.sql.SQLException: closed',
  ].join('\n'),
  'java.util.logging': [
    'Nov 28, 2026 4:14:55\u202fAM com.example.Shop order',
    'SEVERE: order failed',
    'java.lang.IllegalStateException',
    '\tat com.example.Shop.order(Shop.java:12)',
  ].join('\r\n'),
};
const KEY = privateKey();
/** A private key, of which all lines have the same before them. */
const KEYS: Readonly<Record<string, string>> = {
  'in PEM': KEY,
  'of Windows': KEY.replaceAll('\n', '\r\n'),
  encrypted: KEY.replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n'),
  'after syslog': KEY.replaceAll(/^/gm, () => 'Nov 28 04:14:55 web-1 app[7]: '),
  'after other times': KEY.split('\n')
    .map((line, n) => `2026-11-28 04:14:55,${100 + n} [main] INFO ${line}`)
    .join('\n'),
  'below a text': `2026-11-28 04:14:55 INFO the key\n${KEY}\nis new`,
};
const CRASHES: Readonly<Record<string, string>> = {
  Java: [
    'Exception in thread "main" com.example.Gone: no stock',
    '\tat com.example.Shop.order(Shop.java:12)',
    'Caused by: java.sql.SQLException: closed',
    '\t... 12 more',
  ].join('\r\n'),
  'a stack that Java prints': 'java.lang.IllegalStateException: no stock\n\tat Shop.order(Shop.java:12)',
  Python: 'Traceback (most recent call last):\n  File "/srv/a.py", line 12, in order\nValueError: no stock',
  Go: [
    'panic: runtime error: invalid memory address',
    '[signal SIGSEGV: segmentation violation code=0x1]',
    '',
    'goroutine 1 [running]:',
    'main.main()',
    '\t/srv/main.go:12 +0x1d',
  ].join('\n'),
  'a deadlock of Go':
    'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select (no cases)]:',
  'Node.js': [
    'file:///srv/shop.js:12',
    "throw new TypeError('no stock')",
    '^',
    '',
    'TypeError: no stock',
    '    at order (file:///srv/shop.js:12:11)',
    '',
    'Node.js v24.1.0',
  ].join('\n'),
  'Node.js without an error': [
    'node:internal/process/promises:394',
    '      triggerUncaughtException(err, true);',
    '      ^',
    '',
    '[UnhandledPromiseRejection: no error] {',
    "  code: 'ERR_UNHANDLED_REJECTION'",
    '}',
  ].join('\n'),
  '.NET':
    'Unhandled exception. Shop.Gone: no stock\n   at Shop.Orders.Place() in C:\\shop\\Orders.cs:line 12',
  Rust: "thread 'main' panicked at src/main.rs:4:5:\nno stock\nnote: run with `RUST_BACKTRACE=1` to see it",
  Ruby: "/srv/a.rb:3:in 'order': no stock (Shop::Gone)\n\tfrom /srv/a.rb:7:in '<main>'",
  PHP: 'PHP Fatal error:  Uncaught Gone: no stock in /srv/a.php:3',
  'C++': "terminate called after throwing an instance of 'gone'\n  what():  no stock",
  Elixir: '** (RuntimeError) no stock\n    shop.exs:3: Shop.order/1',
};
const OTHERS = [
  '{"level":30,"msg":"{"}',
  '{',
  'plain',
  'Error: first',
  'Error: second',
  ' {"msg":"indented"}',
  '  2026-11-28 04:15:01 indented',
  '2026-11-28 04:15:00,000 INFO started',
  'WARN is a level',
  '04:15:00.000 INFO started',
  '10.0.0.1 - - [28/Nov/2026:04:15:55 +0000] "-" 400 -',
  '2026-11-28 04:15:01,000 INFO started',
  'web-1  | plain',
  '2026-11-28 04:15:02,000 INFO started',
  'level=info msg="a b"',
  '2026-11-28T04:15:55Z stdout F a',
  '2026-11-28T04:15:55Z stdout P a',
  '2026-11-28T04:15:55Z stderr F b',
  'plain',
];

const PRETTY = '{\n  "level": "info",\n  "n": { "a": 1 }\n}\n';
const PARTS = ['P {"n":', 'P 1', 'F }'].map((rest) => `2026-11-28T04:15:55Z stdout ${rest}`);

/** What programs that pass lines on make of one. */
const ENVELOPES: Readonly<Record<string, (line: string) => string>> = {
  CRI: (line) => `2026-11-28T04:15:55.1Z stderr F ${line}`,
  Docker: (line) => JSON.stringify({ log: `${line}\n`, stream: 'stderr', time: '2026-11-28T04:15:55Z' }),
  'docker logs -t': (line) => `2026-11-28T04:15:55.759123456Z ${line}`,
  compose: (line) => `web-1  | ${line}`,
  'compose -t': (line) => `web-1  | 2026-11-28T04:15:55.759123456Z ${line}`,
  'kubectl logs --prefix': (line) => `[pod/web-1/app] ${line}`,
};
const inEnvelopes = (record: string, envelope: (line: string) => string): string =>
  record.split('\n').map(envelope).join('\n');

describe('The records of lines', () => {
  it.each(Object.entries(ENVELOPES))('are those of the lines inside of %s', async (_, envelope) => {
    const records = Object.values(STACKS).flatMap((stack) => [
      '2026-11-28 04:15:00 INFO a',
      stack,
      '{"n":1}',
    ]);
    const plain = await recordsOf(records.join('\n'));
    const passed = plain.map((record) => inEnvelopes(record, envelope));
    expect(await recordsOf(passed.join('\n'))).toEqual(passed);
    const read = passed.map((record) => readLogLine(record, new WrittenTimes()).members());
    expect(read.slice(0, 2).map(({ level, message }) => [level, message])).toEqual([
      ['info', plain[0]],
      [readLogLine(plain[1]!, new WrittenTimes()).members().level, plain[1]],
    ]);
    expect(read.at(-1)).toMatchObject({ n: 1 });
  });

  it.each(Object.entries(STACKS))('include the stack of %s', async (_, stack) => {
    expect(await recordsOf(`plain\n${stack}\n2026-11-28 04:15:00 INFO next\n`)).toEqual([
      'plain',
      stack,
      '2026-11-28 04:15:00 INFO next',
    ]);
  });

  it.each(Object.entries(KEYS))('include a whole private key %s', async (_, key) => {
    const next = '2026-11-28 04:15:00 INFO next';
    for (const above of ['{"n":1}', '10.0.0.1 - - [28/Nov/2026:04:15:55 +0000] "-" 400 -', 'plain']) {
      expect(await recordsOf([above, key, next].join('\n'))).toEqual([above, key, next]);
    }
  });

  it('are alone below a private key that was cut', async () => {
    const [first, ...body] = KEY.split('\n');
    for (const cut of [first!, `${first}\n${body[0]}`]) {
      for (const next of ['started the shop', 'Error: no stock', '{"n":1}']) {
        expect(await recordsOf(`{"n":1}\n${cut}\n${next}\n`)).toEqual(['{"n":1}', cut, next]);
      }
    }
  });

  it('are other lines alone: JSON, and errors without a log before them', async () => {
    expect(await recordsOf(OTHERS.join('\n'))).toEqual(OTHERS);
  });

  it('are whole lines of containers: parts of one belong together', async () => {
    const next = '2026-11-28T04:15:56Z stdout F next';
    expect(await recordsOf([...PARTS, next].join('\n'))).toEqual([PARTS.join('\n'), next]);
  });

  it('never continue JSON: a stack after it is a record of its own', async () => {
    const stack = '    at order (/srv/shop.js:1:2)\n    at main (/srv/shop.js:3:4)';
    expect(await recordsOf(`{"msg":"a"}\n${stack}\n{"msg":"b"}`)).toEqual([
      '{"msg":"a"}',
      stack,
      '{"msg":"b"}',
    ]);
  });

  it('are the same wherever chunks end', async () => {
    const all = fc.array(
      fc.constantFrom(
        ...Object.values(CRASHES),
        ...Object.values(STACKS),
        ...Object.values(KEYS),
        ...OTHERS,
        ...PARTS,
        ...Object.values(ENVELOPES).flatMap((envelope) =>
          [KEY, ...Object.values(STACKS)].map((stack) => inEnvelopes(stack, envelope)),
        ),
        ...Object.values(ENVELOPES).map((envelope) => inEnvelopes(PRETTY.trim(), envelope)),
        PRETTY,
        '',
        ' \t',
      ),
      {
        maxLength: 9,
      },
    );
    await fc.assert(
      fc.asyncProperty(all, fc.array(fc.nat(1500), { maxLength: 6 }), async (list, cuts) => {
        const bytes = Buffer.from(`2026-11-28 04:14:00 start\n${list.join('\n')}\n`);
        const places = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        // An empty chunk says that nothing follows for now.
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const split = await recordsOf(...chunks.filter(({ length }) => length > 0));
        expect(split).toEqual(await recordsOf(bytes));
        expect(split.join('').replaceAll(/\s+/g, '')).toBe(bytes.toString().replaceAll(/\s+/g, ''));
      }),
      cases(60),
    );
  });

  it('are complete at an empty chunk, and JSON at its newline', async () => {
    const seen: string[] = [];
    const chunks = (async function* () {
      for (const text of [
        '{"n":1}\n',
        '2026-11-28 04:14:55 a\n',
        '  at b\n',
        '',
        '2026-11-28 04:14:56 c\n',
      ]) {
        yield Buffer.from(text);
        seen.push(`(${text.trim()})`);
      }
    })();
    for await (const records of splitRecords(chunks)) seen.push(...records);
    expect(seen).toEqual([
      '{"n":1}',
      '({"n":1})',
      '(2026-11-28 04:14:55 a)',
      '(at b)',
      '2026-11-28 04:14:55 a\n  at b',
      '()',
      '(2026-11-28 04:14:56 c)',
      '2026-11-28 04:14:56 c',
    ]);
  });

  it('are the separators of journalctl alone', async () => {
    const lines = [
      'Nov 28 04:14:55 web-1 sshd[7]: a\n  b',
      '-- Boot 0123abcd --',
      'Nov 28 04:14:56 web-1 sshd[7]: c',
    ];
    expect(await recordsOf(`${lines.join('\n')}\n`)).toEqual(lines);
  });

  it('have at most 1,000 lines and 1 MiB', async () => {
    const frame = '    at f (/srv/a.js:1:2)\n';
    const [first, second, ...rest] = await recordsOf(`2026-11-28 04:14:55 a\n${frame.repeat(1500)}`);
    expect([first, second].map((record) => record!.split('\n').length)).toEqual([1000, 501]);
    expect(rest).toEqual([]);
    const long = `  ${'x'.repeat(300_000)}\n`;
    const sizes = (await recordsOf(`a\n${long.repeat(9)}`)).map(({ length }) => length);
    expect(sizes.length).toBe(4);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
  });
});

describe('What a program prints when it crashes', () => {
  it.each(Object.entries(CRASHES))('is an error of its own below any other line: %s', async (_, crash) => {
    for (const above of [
      '2026-11-28 04:14:55,759 INFO started',
      '2026-11-28 04:14:55,759 INFO settings:\n  port: 80',
      '2026/11/28 04:14:55 started',
      'level=info msg="started at 04:14:55"',
      'INFO started',
      '{"level":30,"msg":"started"}',
      'plain',
    ]) {
      const text = `${above}\n${crash}\n2026-11-28 04:15:00 INFO next`;
      const records = [above, crash, '2026-11-28 04:15:00 INFO next'];
      expect(await recordsOf(text)).toEqual(records);
      expect(await recordsOf(...Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)))).toEqual(
        records,
      );
      const rows: object[] = [];
      for await (const some of new LineQuery('level=error').run([text])) rows.push(...some);
      expect(rows).toMatchObject([{ '@rawstring': crash, level: 'error' }]);
    }
    expect(loggedLine(`2026-11-28T04:14:55Z stderr F ${crash.split(/\r?\n/, 1)[0]}\n`).level).toBe(
      /^(?:node|file):/.test(crash) ? '' : 'error',
    );
  });

  it.each(['ERROR', 'WARN', 'FATAL', 'SEVERE'])(
    'belongs to the line above if that is of level %s and loggers print such stacks, too',
    async (level) => {
      for (const crash of Object.values(CRASHES)) {
        const above = `2026-11-28 04:14:55,759 ${level} failed`;
        const isLogged = /^(?:Traceback|[\w$.]+(?:Error|Exception)\b|\S+:\d+:in |\*\* \()/.test(crash);
        expect(await recordsOf(`${above}\n${crash}`)).toEqual(
          isLogged ? [`${above}\n${crash}`] : [above, crash],
        );
      }
    },
  );
});

describe('Input other than one record per line', () => {
  const rows = ['{"time":1795839295759,"msg":"a, \\"b\\" [{"}', '{"time":1795839295760,"user":{"id":7}}'];
  const objects = rows.map((row) => JSON.parse(row) as object);

  it.each([
    ['an array in one line', JSON.stringify(objects)],
    ['an indented array', JSON.stringify(objects, null, 2)],
    ['an array with an object per line', `[\n${rows.join(',\r\n')}\n]\n`],
    ['indented objects', objects.map((one) => JSON.stringify(one, null, '\t')).join('\r\n')],
    ['an array with a byte order mark', `\ufeff${JSON.stringify(objects)}`],
  ])('of JSON is one record per object: %s', async (_, text) => {
    expect(await recordsOf(text)).toEqual(rows);
    expect(await recordsOf(...Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)))).toEqual(rows);
  });

  it('of JSON over several lines is one record per object also below other lines, unless it is no JSON or too long', async () => {
    const array = [{ a: { b: ' c ' } }, { n: [1] }];
    const text = [
      '> npm start',
      PRETTY.replaceAll('\n', '\r\n'),
      JSON.stringify(array, null, 4),
      '{"x":1}',
      PRETTY,
    ];
    const records = ['> npm start', JSON.parse(PRETTY), ...array, { x: 1 }, JSON.parse(PRETTY)];
    const torn = ['[\n  1\n]', '{', '  a: 1\n}', '{', '  "a": x\n}\n}', '[', '{', '  "cut": 1'];
    const all = [...text, ...torn].join('\n');
    for (const chunks of [[all], Array.from(all, (one) => one)]) {
      const found = await recordsOf(...chunks);
      expect(found.map((record) => tryOr(record, () => JSON.parse(record)))).toEqual([
        ...records,
        [1],
        ...torn.slice(1),
      ]);
      expect(found.slice(-torn.length)).toEqual(torn);
    }
    const long = ['{', ...Array.from({ length: 1000 }, (_, n) => `  "${n}": ${n},`), '  "n": 1', '}'];
    const sizes = (await recordsOf(`plain\n${long.join('\n')}`)).map((record) => record.split('\n').length);
    expect(sizes).toEqual([1, 1, 1000, 2]);
    expect(await recordsOf(`2026-11-28 04:14:55 order:\n${PRETTY}  at x`)).toEqual([
      '2026-11-28 04:14:55 order:',
      PRETTY.trimEnd(),
      '  at x',
    ]);
  });

  it('of CSV with a header is one record of JSON per row', async () => {
    const text = '\ufeff@timestamp,Level,message\r\n1,error,"a ""b"",\r\n日本"\r\n2,info,x,more\r\n\r\n3,,';
    const expected = [
      { '@timestamp': '1', Level: 'error', message: 'a "b",\r\n日本' },
      { '@timestamp': '2', Level: 'info', message: 'x', column4: 'more' },
      { '@timestamp': '3', Level: '', message: '' },
    ].map((row) => JSON.stringify(row));
    expect(await recordsOf(text)).toEqual(expected);
    expect(await recordsOf(...Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)))).toEqual(
      expected,
    );
  });

  it('of CSV may have columns without a name, or with the same one', async () => {
    expect(await recordsOf(',time,msg,msg,\n0,1,a,b,\n')).toEqual([
      '{"column1":"0","time":"1","msg":"a","msg4":"b","column5":""}',
    ]);
  });

  it('of CSV have all cells of a row, whatever the names of their columns are', async () => {
    for (const header of ['time,a,a,a3', 'time,,column2', 'time,column4']) {
      const cells = Array.from(`${header},,,`.split(','), (_, n) => `${n}`);
      const [, record] = await recordsOf(`${header}\n${header}\n${cells}\n`);
      expect(Object.values(JSON.parse(record!)), header).toEqual(cells);
    }
  });

  it('of CSV are separated by commas, semicolons or tabs, of which the header decides', async () => {
    for (const separator of [',', ';', '\t']) {
      const others = [',', ';', '\t'].filter((one) => one !== separator).join('');
      const rows = [
        ['time', 'level', 'msg'],
        ['1', '', `"a""${separator}\nb"`],
        ['2', 'info', others],
      ];
      const text = rows.map((cells) => cells.join(separator)).join('\r\n');
      const expected = [
        { time: '1', level: '', msg: `a"${separator}\nb` },
        { time: '2', level: 'info', msg: others },
      ].map((row) => JSON.stringify(row));
      expect(await recordsOf(text)).toEqual(expected);
      expect(await recordsOf(...text)).toEqual(expected);
    }
  });

  it('of CSV stays CSV after a row with an unmatched quote, which is text', async () => {
    const [first, last] = ['{"time":"1","msg":"a\\nb"}', '{"time":"6","msg":"x"}'];
    for (const bad of ['2,"c"d', '3,"e', '4,5"', '"']) {
      const text = `time,msg\n1,"a\nb"\n${bad}\n6,x\n`;
      const row = bad === '4,5"' ? '{"time":"4","msg":"5\\""}' : bad;
      expect(await recordsOf(text)).toEqual([first, row, last]);
      expect(await recordsOf(...Array.from(text, (one) => one))).toEqual([first, row, last]);
      expect(await recordsOf(`time,msg\n${bad}\n6,x\n`)).toEqual([row, last]);
    }
  });

  it.each(['[]', ' [\r\n]\n'])('of an empty array has no records: %j', async (text) => {
    expect(await recordsOf(text)).toEqual([]);
    expect(await recordsOf(...text)).toEqual([]);
  });

  it.each([
    '2026-11-28 04:14:55,759 ERROR a, b\n2026-11-28 04:14:56,759 ERROR c, d',
    'starting, soon\nstarted, now',
    'name,name\n1,2',
    'name,port\njust text',
    'name,port',
    'time;level,msg\n1;2,3',
    'level\tmsg\n1',
    'starting; event\nstarted; a; b',
    '[1,2]\n[3,4]',
    '[2026-11-28 04:14:55] a',
    '{ a: 1,\nb: 2 }',
    '{"a":1}\n{"b":2}',
    '"quoted, text\nnext',
  ])('is text if it only looks similar: %j', async (text) => {
    expect(await recordsOf(text)).toEqual(text.split('\n'));
  });
});

describe('CSV and JSON over several lines', () => {
  /** The lines that input becomes, whatever its chunks are. */
  async function linesOf(text: string): Promise<string[]> {
    const read = async (size: number): Promise<string> => {
      const bytes = Buffer.from(text);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      // As after a pause.
      const withPauses = chunks.flatMap((chunk) => [chunk, new Uint8Array()]);
      const parts: Uint8Array[] = [];
      for await (const part of structuredLines(withPauses)) parts.push(part);
      return Buffer.concat(parts).toString();
    };
    const whole = await read(Buffer.byteLength(text));
    for (const size of [1, 7]) expect(await read(size)).toBe(whole);
    return whole.trimEnd().split('\n');
  }

  it('lose no line that is no row or object', async () => {
    expect(await linesOf('name,msg\nalice,hi\npassword=x y\nbob,tschüß\n')).toEqual([
      '{"name":"alice","msg":"hi"}',
      'password=x y',
      '{"name":"bob","msg":"tschüß"}',
    ]);
    expect(await linesOf('INFO,starting up\nERROR,disk full\npanic\n')).toEqual([
      'INFO,starting up',
      'ERROR,disk full',
      'panic',
    ]);
    expect(
      await linesOf(`${PRETTY}2026-11-28 10:00:00 ERROR boom\n    at x\n12 requests\n${PRETTY}`),
    ).toEqual([
      '{"level":"info","n":{"a":1}}',
      '2026-11-28 10:00:00 ERROR boom',
      '    at x',
      '12 requests',
      '{"level":"info","n":{"a":1}}',
    ]);
  });

  it('go on after an object that is no JSON', async () => {
    expect(await linesOf(`${PRETTY}{\n  "a": x\n}\n${PRETTY}{ a: 1 }, b\n`)).toEqual([
      '{"level":"info","n":{"a":1}}',
      ...['{', '  "a": x', '}'],
      '{"level":"info","n":{"a":1}}',
      '{ a: 1 }, b',
    ]);
  });

  it('go on after an object that was cut', async () => {
    expect(await linesOf('{\n "level":"info",\n "n": {\n{"level":"error"}\n{"level":"warn"}\n')).toEqual([
      '{',
      ' "level":"info",',
      ' "n": {',
      '{"level":"error"}',
      '{"level":"warn"}',
    ]);
  });
});
