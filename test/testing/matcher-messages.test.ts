import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LogExpectation, type LogTest, logMatchers, startLogTest } from '../../src/testing/index.ts';
import { log } from './log.ts';

type Matcher = keyof typeof logMatchers;

/** The message of a failing matcher in a runner without colors. */
async function messageOf(matcher: Matcher | `not.${Matcher}`, ...args: readonly unknown[]): Promise<string> {
  const isNot = matcher.startsWith('not.');
  const call = logMatchers[matcher.replace('not.', '') as Matcher] as (
    this: object,
    ...args: readonly unknown[]
  ) => Promise<{ pass: boolean; message(): string }>;
  const { pass, message } = await call.call({ isNot }, ...args);
  expect(pass).toBe(isNot);
  return message();
}

it.each([
  ['the console', console],
  ['a logger', { info() {}, error() {} }],
])('A matcher that gets %s instead of logs says to pass "logs"', async (_, logger) => {
  await expect(messageOf('toHaveLogged', logger, 'level=error')).rejects.toThrow(
    'toHaveLogged can\'t read from a logger: pass "logs", the result of startLogTest() or captureLogs().',
  );
});

describe("A matcher's message", () => {
  let logs: LogTest;

  beforeEach(async () => {
    logs = await startLogTest();
    await log(logs, [
      { level: 'info', msg: 'payment taken', service: 'payments', status: 200 },
      { level: 'error', msg: 'payment failed', service: 'payments', status: 502 },
      { level: 'error', msg: 'mail bounced', service: 'mails' },
      { level: 'debug', msg: 'cache is warm', statusCode: 200 },
    ]);
  });

  afterEach(() => logs.close());

  it('shows the records with the most matching fields, and the fields that differ', async () => {
    const expected = { level: 'error', service: 'payments', status: 500, message: /refused/ };
    expect(await messageOf('toHaveLogged', logs, expected)).toMatchInlineSnapshot(`
      "expect(logs).toHaveLogged(expected): No record matches: level="error" service="payments" status=500 message=/refused/ (✗ status=500: status is 502 ✗ message=/refused/: msg is "payment failed")

      Closest of 4 records:
        09:00:00.001 error payment failed status=502 service=payments
          ✗ status=500: status is 502
          ✗ message=/refused/: msg is "payment failed"
        09:00:00.000 info  payment taken status=200 service=payments
          ✗ level="error": level is info
          ✗ status=500: status is 200
          ✗ message=/refused/: msg is "payment taken"
        09:00:00.002 error mail bounced service=mails
          ✗ service="payments": service is mails
          ✗ status=500: no field "status"
          ✗ message=/refused/: msg is "mail bounced""
    `);
  });

  it('shows a record with the value in a field of another name before records with another value', async () => {
    const expected = { level: 'debug', status: 200 };
    const text = await messageOf('toHaveLogged', logs, expected);
    const closest = text.split('Closest of 4 records:\n')[1]!.split('\n');
    expect(closest.slice(0, 2)).toEqual([
      '  09:00:00.003 debug cache is warm statusCode=200',
      '    ✗ status=200: no field "status"; did you mean "statusCode"?',
    ]);
    const misnamed = await messageOf('toHaveLogged', logs, { level: 'info', statusCode: 502 });
    expect(misnamed.split('Closest of 4 records:\n')[1]).toMatch(/^ {2}09:00:00\.00[01] /);
  });

  it.each<[LogExpectation, string]>([
    ['level=ERROR payment', 'level is error, in another spelling'],
    ['level=50', 'level is error, in another spelling'],
    [{ service: 'Mails' }, 'service is mails, in another spelling'],
    ['"MAIL BOUNCED"', 'not found, but in another case'],
    ['level=error MAIL BOUNCED', 'MAIL: not found, but in another case'],
    [{ level: 'error', msg: 'mail*' }, '; "*" is a wildcard only in queries: use a RegExp'],
    ['severity=error', 'no field "severity", but "level" is info'],
    [{ service: 'mails', lvl: 'error' }, 'no field "lvl", but "level" is error'],
  ])('shows first a record that almost matches: %j', async (expected, reason) => {
    const [heading] = (await messageOf('toHaveLogged', logs, expected)).split('\n');
    expect(heading).toContain(reason);
  });

  it('shows which conditions of a query the closest records fail', async () => {
    const query = 'service=payments (status>=503 or status=404) "card"';
    expect(await messageOf('toHaveLogged', logs, query)).toMatchInlineSnapshot(`
      "expect(logs).toHaveLogged(expected): No record matches: service=payments (status>=503 or status=404) "card" (✗ status>=503 or status=404: status is 200 ✗ "card": not found)

      Closest of 4 records:
        09:00:00.000 info  payment taken status=200 service=payments
          ✗ status>=503 or status=404: status is 200
          ✗ "card": not found
        09:00:00.001 error payment failed status=502 service=payments
          ✗ status>=503 or status=404: status is 502
          ✗ "card": not found
        09:00:00.002 error mail bounced service=mails
          ✗ service=payments: service is mails
          ✗ status>=503 or status=404: no field "status"
          ✗ "card": not found"
    `);
  });

  it('does not blame a field that the query creates', async () => {
    const query = 'service=/^shop-(?<id>.)/ | id=1';
    expect(await messageOf('toHaveLogged', logs, query)).not.toContain('no field "id"');
  });

  it('shows the rows of an aggregate if the last step removes all of them', async () => {
    const query = 'level=error | groupBy(service) | _count > 5';
    expect(await messageOf('toHaveLogged', logs, query)).toMatchInlineSnapshot(`
      "expect(logs).toHaveLogged(expected): No record matches: level=error | groupBy(service) | _count > 5 (✗ passes the leading filters of the query, but not the steps after them)

      Without its last step, the query returns:
        service=mails _count=1
        service=payments _count=1

      Closest of 4 records:
        09:00:00.001 error payment failed status=502 service=payments
          ✗ passes the leading filters of the query, but not the steps after them
        09:00:00.002 error mail bounced service=mails
          ✗ passes the leading filters of the query, but not the steps after them
        09:00:00.000 info  payment taken status=200 service=payments
          ✗ level=error: level is info"
    `);
  });

  it('shows the records that not.toHaveLogged found', async () => {
    expect(await messageOf('not.toHaveLogged', logs, { level: 'error' })).toMatchInlineSnapshot(`
      "expect(logs).not.toHaveLogged(expected): Expected no matching record, found 2: level="error" (09:00:00.001 error payment failed status=502 service=payments)

        09:00:00.001 error payment failed status=502 service=payments
        09:00:00.002 error mail bounced service=mails"
    `);
  });

  it('shows the matching records, and the closest others if there are too few', async () => {
    expect(
      await messageOf('toHaveLoggedTimes', logs, 'service=payments level=error', 2),
    ).toMatchInlineSnapshot(`
      "expect(logs).toHaveLoggedTimes(expected, 2): Expected 2 matching records, found 1: service=payments level=error (✗ level=error: level is info)

        09:00:00.001 error payment failed status=502 service=payments

      Closest of 3 other records:
        09:00:00.000 info  payment taken status=200 service=payments
          ✗ level=error: level is info
        09:00:00.002 error mail bounced service=mails
          ✗ service=payments: service is mails
        09:00:00.003 debug cache is warm statusCode=200
          ✗ service=payments: no field "service"
          ✗ level=error: level is debug"
    `);
    expect(await messageOf('toHaveLoggedTimes', logs, 'level=error', 1)).toMatchInlineSnapshot(`
      "expect(logs).toHaveLoggedTimes(expected, 1): Expected 1 matching record, found 2: level=error (09:00:00.001 error payment failed status=502 service=payments)

        09:00:00.001 error payment failed status=502 service=payments
        09:00:00.002 error mail bounced service=mails"
    `);
    expect(await messageOf('not.toHaveLoggedTimes', logs, 'level=debug', 1)).toMatchInlineSnapshot(`
      "expect(logs).not.toHaveLoggedTimes(expected, 1): Expected any number of matching records except 1: level=debug (09:00:00.003 debug cache is warm statusCode=200)

        09:00:00.003 debug cache is warm statusCode=200"
    `);
  });

  it('shows a range that does not contain the number of records', async () => {
    const heading = async (...args: readonly unknown[]): Promise<string | undefined> =>
      (await messageOf('toHaveLoggedTimes', logs, 'level=error', ...args)).split('\n')[0];
    expect(await heading({ min: 3 })).toContain(
      'Expected at least 3 matching records, found 2: level=error (',
    );
    expect(await heading({ max: 1 })).toContain('Expected at most 1 matching record, found 2: level=error (');
    expect(await heading({ min: 3, max: 4 })).toContain(
      'Expected 3 to 4 matching records, found 2: level=error (',
    );
    expect(await heading({ min: 0, max: 0 })).toContain(
      'Expected 0 matching records, found 2: level=error (',
    );
    expect(await messageOf('not.toHaveLoggedTimes', logs, 'level=error', { min: 1 })).toContain(
      'Expected any number of matching records except at least 1:',
    );
  });

  it('shows the argument of an asymmetric matcher', async () => {
    const matchers: [unknown, string][] = [
      [expect.stringContaining('a "b"'), 'StringContaining "a \\"b\\""'],
      [expect.not.stringMatching(/^x/i), 'StringNotMatching /^x/i'],
      [
        expect.objectContaining({ n: expect.any(Number), s: /x/ }),
        'ObjectContaining {"n":"Any<Number>","s":"/x/"}',
      ],
      [expect.arrayContaining([1, 'a']), 'ArrayContaining [1,"a"]'],
      [expect.any(Number), 'Any<Number>'],
      [expect.closeTo(5, 2), 'NumberCloseTo 5 (2 digits)'],
      [{ asymmetricMatch: () => false, toString: () => 'Custom' }, 'Custom'],
    ];
    for (const [matcher, text] of matchers) {
      expect(await messageOf('toHaveLogged', logs, { gone: matcher })).toContain(`: gone=${text} (✗`);
    }
  });

  it('shows how much of an order was found', async () => {
    const order = ['level=info', 'level=debug', { level: 'error' }, 'level=fatal'];
    expect(await messageOf('toHaveLoggedInOrder', logs, order)).toMatchInlineSnapshot(`
      "expect(logs).toHaveLoggedInOrder([…]): No records match in this order (✗ 3. level="error")

        ✓ 1. level=info
             09:00:00.000 info  payment taken status=200 service=payments
        ✓ 2. level=debug
             09:00:00.003 debug cache is warm statusCode=200
        ✗ 3. level="error"
             no match after that one; only earlier ones:
             09:00:00.002 error mail bounced service=mails
          4. level=fatal"
    `);
    expect(await messageOf('not.toHaveLoggedInOrder', logs, order.slice(0, 2))).toMatchInlineSnapshot(`
      "expect(logs).not.toHaveLoggedInOrder([…]): Expected records not to match in this order (✓ 1. level=info)

        ✓ 1. level=info
             09:00:00.000 info  payment taken status=200 service=payments
        ✓ 2. level=debug
             09:00:00.003 debug cache is warm statusCode=200"
    `);
  });

  it('shows the closest records for the step of an order that no record matches', async () => {
    expect(
      await messageOf('toHaveLoggedInOrder', logs, ['level=info', '#service=payments']),
    ).toMatchInlineSnapshot(`
      "expect(logs).toHaveLoggedInOrder([…]): No records match in this order (✗ 2. #service=payments)

        ✓ 1. level=info
             09:00:00.000 info  payment taken status=200 service=payments
        ✗ 2. #service=payments
             no record matches

      Closest of 4 records:
        09:00:00.000 info  payment taken status=200 service=payments
          ✗ #service=payments: no field "#service"; did you mean "service"?
        09:00:00.001 error payment failed status=502 service=payments
          ✗ #service=payments: no field "#service"; did you mean "service"?
        09:00:00.002 error mail bounced service=mails
          ✗ #service=payments: no field "#service"; did you mean "service"?"
    `);
  });

  it('says where tags come from if a record has no tag of that name', async () => {
    expect(await messageOf('toHaveLogged', logs, { '#env': 'test' })).toContain(
      'no field "#env"; tags are those of the transport, or of capture(logger, { tags })',
    );
  });

  it('shows how long toEventuallyHaveLogged waited', async () => {
    const message = await messageOf('toEventuallyHaveLogged', logs, 'level=fatal', { timeoutMs: 30 });
    const waitedMs = Number(/^Waited (\d+) ms\.$/m.exec(message)?.[1]);
    expect(waitedMs).toBeGreaterThanOrEqual(30);
    expect(message).toContain(
      'No record matches: level=fatal (✗ level=fatal: level is info)\n\nClosest of 4 records:',
    );
    expect(message).toBe(message.trimEnd());
  });

  it('states that all records are outside of the time range', async () => {
    expect(await messageOf('toHaveLogged', logs, '*', { start: Date.UTC(2100, 0, 1) })).toContain(
      'No record is in the time range {"start":4102444800000}, 4 outside of it.',
    );
  });

  it('states that nothing was logged and no logger is captured', async () => {
    await using empty = await startLogTest();
    expect(await messageOf('toHaveLogged', empty, { level: 'error' })).toMatchInlineSnapshot(`
      "expect(logs).toHaveLogged(expected): No record matches: level="error" (Nothing was logged.)

      Nothing was logged.
      No logger is captured: call logs.capture(logger). If your logger ships to this server itself, call logs.track(logger). A child process needs env: { ...process.env, ...logs.env }."
    `);
  });

  it('ranks records that have the field with another value first', async () => {
    const noise: Record<string, string> = { msg: 'noise' };
    const events = [{ user: { id: 7 } }, noise, noise, noise];
    for (const expected of [{ user: { id: 8 } }, 'user.id=8']) {
      await using own = await startLogTest();
      await log(own, events);
      const message = await messageOf('toHaveLogged', own, expected);
      expect(message).toMatch(
        /Closest of 4 records:\n {2}09:00:00\.000 user\.id=7\n {4}✗ user\.id=8: user\.id is 7\n/,
      );
    }
  });

  it('names the field that the logger uses for messages', async () => {
    await using own = await startLogTest();
    await log(own, [{ msg: 'oc' }]);
    expect(await messageOf('toHaveLogged', own, 'message=oc')).toContain(
      '✗ message=oc: no field "message", but "msg" is oc',
    );
    expect(await messageOf('toHaveLogged', own, 'time > 0')).toContain(
      '✗ time > 0: no field "time"; the time is in "@timestamp": use the options "start" and "end"',
    );
    expect(await messageOf('toHaveLogged', own, { message: 'od' })).toContain('✗ message="od": msg is oc');
  });

  it.each<[string, string, LogExpectation]>([
    ['a no-break space', '5\u00a0€ paid', { msg: '5 € paid' }],
    ['a no-break space in text', '5\u00a0€ paid', '"5 € paid"'],
    ['an en dash', 'a \u2013 b', 'msg="a - b"'],
    ['curly quotes', 'user \u201cx\u201d', { msg: 'user "x"' }],
    ['nothing else', 'user y', { msg: 'user x' }],
  ])('says that a text only looks the same with %s', async (what, msg, expected) => {
    await using own = await startLogTest();
    await log(own, [{ msg }]);
    const message = await messageOf('toHaveLogged', own, expected);
    expect(message.includes(', but a string looks the same')).toBe(what !== 'nothing else');
  });

  it('shows long strings from their first difference, with newlines and colors as escapes', async () => {
    await using own = await startLogTest();
    await log(own, [{ long: `${'a'.repeat(100)}X`, lines: 'a\nb', colored: '\u001b[32mok\u001b[39m' }]);
    const expected = { long: `${'a'.repeat(100)}Y`, lines: 'a', colored: 'ok', err: {}, other: 1 };
    const message = await messageOf('toHaveLogged', own, expected);
    expect(message).toContain(
      `: long is …${'a'.repeat(24)}X, not …${'a'.repeat(24)}Y (first difference at character 101)\n`,
    );
    expect(message).toContain('✗ lines="a": lines is "a\\nb"\n');
    expect(message).toContain(
      'colored is "\\u001b[32mok\\u001b[39m"; the format of the logger adds colors\n',
    );
    expect(
      Math.max(
        ...message
          .split('\n')
          .slice(4)
          .map((line) => line.length),
      ),
    ).toBeLessThan(250);
  });

  it('shows the fields of an object that is expected to be absent', async () => {
    await using own = await startLogTest();
    await log(own, [{ err: { code: 'E1', tries: [3] } }]);
    expect(await messageOf('toHaveLogged', own, { err: undefined, msg: 'a' })).toContain(
      '✗ err=(no such field): err.code is E1, err.tries[0] is 3',
    );
  });

  it('says how many elements an array has', async () => {
    await using own = await startLogTest();
    await log(own, [{ ids: [1, 2] }]);
    expect(await messageOf('toHaveLogged', own, { ids: [1, 2, 3] })).toContain(
      '✗ ids[2]=3: the array has 2 elements',
    );
    expect(await messageOf('toHaveLogged', own, { ids: [1] })).toContain(
      '✗ ids[1]=(no such field): ids[1] is 2',
    );
  });

  it('says that masked values differ', async () => {
    await using own = await startLogTest();
    await log(own, [{ password: 'aaa' }]);
    expect(await messageOf('toHaveLogged', own, { password: 'bbb' })).toContain(
      '✗ password="[redacted]": password differs (hidden)',
    );
  });

  it('truncates long strings, stacks and lists of records', async () => {
    const events = Array.from({ length: 12 }, (_, i) => ({
      level: 'warn',
      msg: `slow query ${i}\n  second line`,
      sql: 'select '.repeat(40),
      err: { stack: 'Error: x\n    at y' },
    }));
    await log(logs, events);
    const lines = (await messageOf('not.toHaveLogged', logs, 'level=warn')).split('\n');
    expect(lines.at(-1)).toBe('  … and 2 more');
    expect(lines).toHaveLength(13);
    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(242);
    expect(lines[2]).toMatch(
      /^ {2}09:00:00\.000 warn {2}slow query 0 … sql="select .*…" err\.stack="Error: x …"$/,
    );
  });

  it("uses the runner's colors", async () => {
    // A detached call of Bun's functions throws.
    const color = (name: string) =>
      function (this: object, text: string) {
        return 'matcherHint' in this ? `<${name}>${text}</${name}>` : '';
      };
    const { message } = await logMatchers.toHaveLogged.call(
      {
        utils: {
          matcherHint: (name, received, expected) => `<hint>${name} ${received} ${expected}</hint>`,
          EXPECTED_COLOR: color('green'),
          RECEIVED_COLOR: color('red'),
        },
      },
      logs,
      { statusCode: 500 },
    );
    expect(message()).toContain('<hint>toHaveLogged logs expected</hint>: ');
    expect(message()).toContain('<red>✗</red> <green>statusCode=500</green>: statusCode is <red>200</red>');
  });
});
