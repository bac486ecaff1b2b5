import { describe, expect, it } from 'vitest';
import { errorLines, recordError } from '../../../src/core/records/record-error.ts';
import { ERROR_SPELLINGS, ERROR_VIEW, storedFields } from '../../helpers/error-spellings.ts';

function linesOf(record: object): string[] | undefined {
  const error = recordError(storedFields(record));
  return error && errorLines(error);
}

describe('The error of a record', () => {
  it.each(Object.entries(ERROR_SPELLINGS))('has the same lines in the spelling of %s', (_name, record) => {
    expect(linesOf(record)).toEqual(ERROR_VIEW);
  });

  it.each([
    ['text', { msg: 'slow', error: 'timeout', err: 'timeout', exception: 'true' }],
    ['the name of a group of servers', { msg: 'deployed', stack: 'prod-eu', stacktrace: 'off' }],
    ['a code or a type alone', { msg: 'rejected', error: { type: 'validation', code: '400' } }],
    [
      'names of built-in members',
      { constructor: 'x', toString: 'y', __proto__: { stack: 'z\nz' }, msg: 'm' },
    ],
    ['objects', { err: { message: {}, stack: [] }, error: { stack: [[]] } }],
    ['a message of several lines', { msg: 'one\n  two\n  three' }],
  ])('is not %s', (_name, record) => {
    expect(linesOf(record)).toBeUndefined();
  });

  it('has a title without a name, a code or a message if they are missing', () => {
    expect(linesOf({ err: { message: 'no stock' } })).toEqual(['no stock']);
    expect(linesOf({ error: { type: 'StockError', stack: 'at f (/a.js:1:1)' } })).toEqual([
      'StockError',
      '    at f (/a.js:1:1)',
    ]);
    expect(linesOf({ err: { code: 'E', message: 'no stock' } })).toEqual(['[E]: no stock']);
  });

  it('has the code of its stack once', () => {
    const stack = 'TypeError [ERR_X]: bad\n    at f (/a.js:1:1)';
    expect(linesOf({ err: { type: 'TypeError', message: 'bad', code: 'ERR_X', stack } })?.[0]).toBe(
      'TypeError [ERR_X]: bad',
    );
    expect(linesOf({ stack })?.[0]).toBe('TypeError [ERR_X]: bad');
  });

  it('has a name of its own rather than "Error"', () => {
    const err = {
      type: 'Error',
      name: 'StockError',
      message: 'none',
      stack: 'Error: none\n    at f (/a.js:1:1)',
    };
    expect(linesOf({ err })?.[0]).toBe('StockError: none');
  });

  it('of Python has the title above its frames and the cause last', () => {
    const exc_info = [
      'Traceback (most recent call last):',
      '  File "/app/bank.py", line 3, in connect',
      '    raise KeyError("x")',
      "KeyError: 'x'",
      '',
      'The above exception was the direct cause of the following exception:',
      '',
      'Traceback (most recent call last):',
      '  File "/app/main.py", line 9, in charge',
      '    connect()',
      '  File "/usr/lib/python3.11/site-packages/flask/app.py", line 1, in run',
      'ValueError: card declined',
    ].join('\n');
    const lines = [
      'ValueError: card declined',
      '    File "/app/main.py", line 9, in charge',
      '      connect()',
      '    … 1 frame of packages',
      "caused by KeyError: 'x'",
      '    File "/app/bank.py", line 3, in connect',
      '      raise KeyError("x")',
    ];
    expect(linesOf({ message: 'payment failed', exc_info })).toEqual(lines);
    expect(linesOf({ event: 'payment failed', exception: exc_info })).toEqual(lines);
    expect(linesOf({ message: `payment failed\n${exc_info}` })).toEqual(lines);
  });

  it('of Java has its causes, also with frames that are objects', () => {
    const stack_trace =
      'java.lang.IllegalStateException: no stock\n\tat shop.Buy.run(Buy.java:12)\nCaused by: java.io.IOException: closed\n\tat shop.Db.read(Db.java:7)\n\t... 23 more';
    expect(linesOf({ message: 'failed', stack_trace })).toEqual([
      'java.lang.IllegalStateException: no stock',
      '    at shop.Buy.run(Buy.java:12)',
      'caused by java.io.IOException: closed',
      '    at shop.Db.read(Db.java:7)',
      '    ... 23 more',
    ]);
    const thrown = {
      name: 'java.lang.IllegalStateException',
      message: 'no stock',
      extendedStackTrace: [
        { class: 'shop.Buy', method: 'run', file: 'Buy.java', line: 12 },
        { class: 'java.lang.Thread', method: 'run', file: 'Thread.java', line: 833 },
      ],
      cause: { name: 'java.io.IOException', message: 'closed' },
    };
    expect(linesOf({ message: 'failed', thrown })).toEqual([
      'java.lang.IllegalStateException: no stock',
      '    at shop.Buy.run (Buy.java:12)',
      '    … 1 frame of packages',
      'caused by java.io.IOException: closed',
    ]);
  });

  it('of zap has the message of `error` above its stack', () => {
    const record = { msg: 'failed', error: 'refused', stacktrace: 'main.dial\n\t/app/main.go:12' };
    expect(linesOf(record)).toEqual(['refused', '    main.dial /app/main.go:12']);
  });

  it('of .NET is found in lines of text without fields, with the files of the program', () => {
    const row = {
      '@rawstring':
        '2026-11-28 19:00:03 fail: Shop[0]\nSystem.InvalidOperationException: no stock\n   at Shop.Buy() in /srv/Buy.cs:line 12\n   at System.Threading.Thread.Start()',
    };
    expect(linesOf(row)).toEqual([
      '2026-11-28 19:00:03 fail: Shop[0]',
      'System.InvalidOperationException: no stock',
      '    at Shop.Buy() in /srv/Buy.cs:line 12',
      '    … 1 frame of packages',
    ]);
    expect(recordError(row)!.sections[0]!.frames[0]!.place).toMatchObject({ path: '/srv/Buy.cs', line: 12 });
  });

  it('of Go is a panic with the frames of each goroutine, without those of the standard library and modules', () => {
    const panic = [
      'panic: runtime error: index out of range [5] with length 3',
      '',
      'goroutine 1 [running]:',
      'main.charge({0xc000010000, 0x3}, 0x5)',
      '\t/home/me/go/src/example.com/shop/charge.go:12 +0x1d',
      'github.com/gin-gonic/gin.(*Context).Next(...)',
      '\t/root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go:174',
      'net/http.(*conn).serve(0xc0001b4000, {0x7f8, 0xc0})',
      '\t/usr/local/go/src/net/http/server.go:1995 +0x5f4',
      'created by net/http.(*Server).Serve in goroutine 1',
      '\t/usr/lib/go-1.22/src/net/http/server.go:3086 +0x5cb',
      '',
      'goroutine 18 [chan receive]:',
      'main.wait(...)',
      '\t/app/my shop/wait.go:7',
      'exit status 2',
    ];
    const lines = [
      'panic: runtime error: index out of range [5] with length 3',
      'goroutine 1 [running]:',
      '    main.charge({0xc000010000, 0x3}, 0x5) /home/me/go/src/example.com/shop/charge.go:12 +0x1d',
      '    … 3 frames of packages',
      'goroutine 18 [chan receive]:',
      '    main.wait(...) /app/my shop/wait.go:7',
      'exit status 2',
    ];
    expect(linesOf({ level: 'error', message: panic.join('\n') })).toEqual(lines);
    expect(linesOf({ level: 'error', msg: 'recovered', stack: panic.join('\r\n') })).toEqual(lines);
  });

  it('of Firefox and Safari has frames', () => {
    const stack = 'buy@https://shop.example/a.js:1:2\nasync*@https://shop.example/b.js:3:4\n';
    expect(linesOf({ error: { name: 'TypeError', message: 'x is null', stack } })).toEqual([
      'TypeError: x is null',
      '    buy@https://shop.example/a.js:1:2',
      '    async*@https://shop.example/b.js:3:4',
    ]);
  });

  it('has each error of an AggregateError, and causes of causes', () => {
    const error = {
      name: 'AggregateError',
      message: 'all failed',
      errors: [
        { name: 'Error', message: 'a', cause: { name: 'Error', message: 'a1', cause: 'a2' } },
        { name: 'Error', message: 'b' },
        'c',
      ],
    };
    expect(linesOf({ error })).toEqual([
      'AggregateError: all failed',
      'caused by Error: a',
      'caused by Error: a1',
      'caused by a2',
      'caused by Error: b',
      'caused by c',
    ]);
  });

  it('names the fields that it shows, and no others', () => {
    const row = storedFields({
      msg: 'failed',
      err: {
        type: 'E',
        message: 'm',
        stack: 'E: m\n    at f (/a.js:1:1)',
        code: 'C',
        errno: -2,
        config: { url: '/' },
      },
      stack: 'E: m\n    at f (/a.js:1:1)',
    });
    const before = structuredClone(row);
    expect([...recordError(Object.freeze(row))!.fields].sort()).toEqual([
      'err.code',
      'err.message',
      'err.stack',
      'err.type',
      'stack',
    ]);
    expect(row).toEqual(before);
  });

  it('is bounded for stacks, messages, lists and chains of any size', () => {
    const stack = `Error: x\n${'    at f (/a.js:1:1)\n'.repeat(50_000)}`;
    expect(linesOf({ err: { stack } })!.length).toBeLessThan(2_010);
    for (const long of [
      'x'.repeat(1e6),
      ' '.repeat(1e6),
      '\n'.repeat(1e6),
      `\n${' '.repeat(1e6)}`,
      'a.'.repeat(5e5),
    ]) {
      const lines = linesOf({
        err: { type: long, message: `m${long}`, stack: long, code: long },
        stack: long,
      });
      expect(lines!.join('').length).toBeLessThan(5_000);
      expect(linesOf({ msg: long })).toBeUndefined();
    }
    const errors = Array.from({ length: 500 }, (_, n) => ({ message: `m${n}`, stack: stack.slice(0, 60) }));
    expect(recordError(storedFields({ error: { message: 'all', errors } }))!.sections).toHaveLength(30);
    let cause: object = { message: 'last' };
    for (let n = 0; n < 150; n++) cause = { message: `m${n}`, cause };
    expect(recordError(storedFields({ err: cause }))!.sections).toHaveLength(30);
  });
});
