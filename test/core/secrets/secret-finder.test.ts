// cspell:disable: parts of tokens and of escaped names.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SecretFinder } from '../../../src/core/secrets/secret-finder.ts';
import { DEFAULT_KINDS } from '../../../src/core/secrets/secret-kinds.ts';
import { cases, lawSeed } from '../../helpers/laws.ts';

const finder = new SecretFinder({ keys: ['ssn'] });
const redacted = (text: string): string => finder.replaceInText(text, () => '[redacted]');

/** Texts with the secret `S3cr3t`, as programs write them. */
const TEXTS: Readonly<Record<string, string>> = {
  'an escaped quote in JSON': String.raw`body: {\"password\":\"S3cr3t\"} rejected`,
  'an escaped letter in a name': String.raw`got {"\u0070assword":"S3cr3t" and stopped`,
  'an escaped letter of escaped JSON': String.raw`got {\"pass\\u0077ord\":\"S3cr3t\" and stopped`,
  'an encoded letter in a query': 'GET /login?a=1&pass%77ord=S3cr3t&b=2',
  'an encoded first letter': 'GET /login?a=1&%70assword=S3cr3t&b=2',
  'dots in a name': 'stripe.api.key=S3cr3t private.key: S3cr3t',
  'a list of headers in JSON in JSON': JSON.stringify(JSON.stringify(['Authorization', 'S3cr3t'])),
  'a colored value': inspect({ password: 'S3cr3t', 'set-cookie': ['S3cr3t'] }, { colors: true }),
  'a colored name': '\u001b[35mtoken\u001b[39m: "S3cr3t" \u001b[1;32mssn\u001b[0m=\u001b[31mS3cr3t\u001b[0m',
  'an inspected pair': "headers: [ { name: 'Authorization', value: 'S3cr3t' } ]",
  'a flag before its value in JSON': JSON.stringify({ argv: ['run', '--db-password', 'S3cr3t', 'shop'] }),
  'a pair with key': 'entry { key: "x-api-key", value: "S3cr3t" }',
  'an inspected pair with the value first':
    "headers: { value: 'S3cr3t', enabled: true, name: 'Authorization' }",
  'an inspected pair with an object': "headers: { value: { raw: [ 'S3cr3t' ] }, name: 'authorization' }",
  'a pair in escaped JSON': String.raw`got {\"value\":\"S3cr3t\",\"name\":\"authorization\"`,
  'escaped letters in a pair': String.raw`got {"na\u006de":"authori\u007aation","value":"S3cr3t"`,
  'escaped letters in a pair with the value first': String.raw`got {"val\u0075e":"S3cr3t","k\u0065y":"authori\u007aation"`,
  'a pair with paths': "headers[0].name: 'ssn', headers[0].value: 'S3cr3t'",
  'the word value before a pair': "no value: a, name: 'password', value: 'S3cr3t'",
  'a second pair with the value first': 'a: - value: "5"\n  name: "x"\n- value: "S3cr3t"\n  name: "ssn"',
  'a second pair': 'a:\n- name: "x"\n  value: "5"\n- name: "ssn"\n  value: "S3cr3t"',
  'a slash in the password of a URL': 'connecting to postgres://app:pa/S3cr3t@db.example/shop',
  'a header that contains the start of another secret':
    'GET / Authorization: Bearer abc failed, password="a b\nS3cr3t" -----BEGIN PRIVATE KEY-----',
  'a header that contains the start of a private key':
    'Authorization: Bearer abc failed -----BEGIN PRIVATE KEY-----\nS3cr3t\n-----END PRIVATE KEY-----',
  'two slashes in the password of a URL': 'redis://:/a/S3cr3t@cache:6379 refused',
  ...Object.fromEntries(
    [',', ';', '(', '<', '\\', "'"].map((mark) => [
      `${mark} in a value without quotes`,
      `login failed: password=ab${mark}S3cr3t for ada`,
    ]),
  ),
};

/** Text of HTTP, of which the values of these headers are secret up to the end of the line. */
const HEADERS: readonly (readonly [text: string, expected: string])[] = [
  [
    'GET / HTTP/1.1\r\nAuthorization: Basic abc def\r\nCookie: a=b; c=d e\r\nHost: x',
    'GET / HTTP/1.1\r\nAuthorization: [redacted]\r\nCookie: [redacted]\r\nHost: x',
  ],
  ['> set-cookie: a="b c"; Path=/\n> host: x', '> set-cookie: [redacted]\n> host: x'],
  ['Proxy-Authorization: Custom one two', 'Proxy-Authorization: [redacted]'],
  ['x-api-key: one two three\nHost: x', 'x-api-key: [redacted]\nHost: x'],
  ['failed: Authorization: Token abc def', 'failed: Authorization: [redacted]'],
  ["curl -H 'Cookie: a=b; c=d e' https://x", "curl -H 'Cookie: [redacted]' https://x"],
  ['Authorization: Digest a="b", response="c"\r\nHost: x', 'Authorization: [redacted]\r\nHost: x'],
  ['Authorization: Basic abc\r\n def\r\nHost: x', 'Authorization: [redacted]\r\nHost: x'],
  [
    'X-Session-Token: a b\r\nssn: 1 2\r\nHost: x',
    'X-Session-Token: [redacted]\r\nssn: [redacted]\r\nHost: x',
  ],
  [
    String.raw`request "Cookie: a=b; c=d\r\nAuthorization: Basic abc def\r\nHost: x" failed`,
    String.raw`request "Cookie: [redacted]\r\nAuthorization: [redacted]\r\nHost: x" failed`,
  ],
  [
    String.raw`body \"a\\r\\nProxy-Authorization: a b\\r\\nHost: x\"`,
    String.raw`body \"a\\r\\nProxy-Authorization: [redacted]\\r\\nHost: x\"`,
  ],
  [String.raw`env:\npassword=abc`, String.raw`env:\npassword=[redacted]`],
];

const PAIRS: Readonly<Record<string, object>> = {
  'name before value': { name: 'Authorization', value: 'S3cr3t' },
  'value before name': { value: 'S3cr3t', name: 'authorization' },
  'key and value': { enabled: true, key: 'ssn', value: 'S3cr3t' },
  'capitals, and a member between': { Name: 'Cookie', Path: '/', Value: 'S3cr3t' },
  'value, a member, and name': { value: 'S3cr3t', id: 1, password: 'x', name: 'authorization' },
  'an object as the value before its name': { value: { raw: { password: 'x', a: 'S3cr3t' } }, key: 'ssn' },
  'an array as the value before its name': { value: ['S3cr3t', 'password=x'], key: 'ssn' },
  'a value with a pattern before its name': { value: 'S3cr3t password=x', name: 'authorization' },
  'pairs in a pair': { value: { value: { value: 'S3cr3t', name: 'ssn' }, name: 'ssn' }, name: 'ssn' },
};

/** Numbers from a seed. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Puts a value at a random depth: into objects, arrays, and JSON in strings. */
function nested(value: unknown, random: (limit: number) => number): unknown {
  let result = value;
  for (let depth = random(6); depth > 0; depth--) {
    const wrap = [
      (inner: unknown) => ({ id: random(100), [`field${random(9)}`]: inner, last: true }),
      (inner: unknown) => ['first', inner, 2],
      (inner: unknown) => JSON.stringify({ inner }),
    ];
    result = wrap[random(wrap.length)]!(result);
  }
  return { msg: 'x', data: result };
}

describe('SecretFinder', () => {
  it.each(Object.entries(TEXTS))('finds a secret after %s', (_, text) => {
    expect(redacted(text)).not.toContain('S3cr3t');
  });

  it.each(Object.entries({ ...TEXTS, ...PAIRS }))(
    'finds a secret at any depth of a record, also in JSON in strings: %s',
    (_, value) => {
      const random = randomNumbers(lawSeed);
      for (let round = 0; round < cases(40).numRuns; round++) {
        const json = JSON.stringify(nested(value, random));
        expect(redacted(json), json).not.toContain('S3cr3t');
      }
    },
  );

  it.each([
    ['GET http://localhost:3000/@vite/client 200'],
    ['{"trace_id":"4611686018427387900","id":4611686018427387900}'],
    ['fetched https://registry.example:4873/@scope/package'],
    ['discount 20%40 for {"name":"color","value":"red"}'],
    ["{ name: 'color', value: 'red' }"],
    ["{ value: 'red', name: 'color' } { name: 'authorization' }"],
    ["{ name: 'authorization' }, { value: 'red' }, { name: 'ssn' }"],
    ["{ name: 'a', value: 'red' }, { name: 'ssn', value: null }"],
    ["the value: name: 'ssn'"],
    ['authorization: denied for user 5, cookie: none'],
    ['Authorization: check failed for user 5\n    at a.js:1:2'],
    ["{\n  authorization: [Array],\n  cookie: undefined,\n  'x-api-key': null }"],
  ])('leaves text without a secret unchanged: %s', (text) => {
    expect(redacted(text)).toBe(text);
  });

  it.each(HEADERS)('finds the value of a header up to the end of its line: %j', (text, expected) => {
    expect(redacted(text)).toBe(expected);
    const json = JSON.stringify({ msg: JSON.stringify({ text }) });
    expect(redacted(json)).toBe(JSON.stringify({ msg: JSON.stringify({ text: expected }) }));
    expect(redacted(expected)).toBe(expected);
  });

  it.each([
    ["{ authorization: 'Basic abc', host: 'x' }", "{ authorization: '[redacted]', host: 'x' }"],
    ['paid with 4111 1111 1111 1111, 5500005555555559', 'paid with [redacted], [redacted]'],
    ['{cookie: a=b; c=d, host: x}', '{cookie: [redacted], host: x}'],
    ['{authorization: abc, host: x}', '{authorization: [redacted], host: x}'],
    ['GET /cb?token=abc&state=1 200', 'GET /cb?token=[redacted]&state=1 200'],
    ['password=abc,user=ada, 3 retries', 'password=[redacted],user=ada, 3 retries'],
    ['Server=db;Password=a;b;User=ada', 'Server=db;Password=[redacted];User=ada'],
    ["args: 'password=abc', 'x'", "args: 'password=[redacted]', 'x'"],
    ['login(password=abc) failed', 'login(password=[redacted]) failed'],
  ])('keeps what follows a value: %s', (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  it.each([
    ['ssn: tiger lily is mine', 'ssn: [redacted]'],
    ['created ssn=Bob Dylan', 'created ssn=[redacted]'],
    ['ssn=No Doubt of us order=5', 'ssn=[redacted] order=5'],
    ['ssn: Bob Dylan http.status: 200', 'ssn: [redacted] http.status: 200'],
    ['(ssn: Bob Dylan) saved, ssn: Bob; 5', '(ssn: [redacted]) saved, ssn: [redacted]; 5'],
    ['ssn: Bob Dylan\nGET / 200', 'ssn: [redacted]\nGET / 200'],
    ['GET /x?a=1&ssn=Bob HTTP/1.1', 'GET /x?a=1&ssn=[redacted] HTTP/1.1'],
    ['run --ssn Bob --dry', 'run --ssn [redacted] --dry'],
    // Of names that the caller didn't list, a sentence may be behind a colon.
    ['failed to get token: connection refused', 'failed to get token: connection refused'],
    ['login password: Tr0ub4dor horse', 'login password: [redacted] horse'],
    ['login password=correct horse', 'login password=[redacted] horse'],
  ])('finds all words of the value of a key of the caller: %j', (text, expected) => {
    expect(redacted(text)).toBe(expected);
    expect(redacted(expected)).toBe(expected);
  });
});

describe('A text that is redacted', () => {
  const texts = [
    ...Object.values(TEXTS),
    ...HEADERS.map(([text]) => text),
    'got {"set-cookie":["a=b"]},"req":1',
    'login password=S3cr3t end of text',
    'login { ssn: S3cr3t end of text',
    'GET /cb?token=S3cr3t&state=1 200',
    "{ token: { a: 'S3cr3t' }, host: 'x' }",
    'connecting to postgres://app:S3cr3t@db.example/shop as ssn: 5, or ssn: "6"',
  ];
  const jsons = [
    ...texts.flatMap((text) => [{ text }, { body: JSON.stringify({ text }) }]),
    ...Object.values(PAIRS),
  ];

  it.each(['[redacted]', 'hidden value', '***', '<removed by "us">'])(
    'stays the same if it is redacted again, with %j',
    (replacement) => {
      const again = new SecretFinder({ keys: ['ssn'], replacement });
      const redact = (text: string): string => again.replaceInText(text, () => replacement);
      const once = [...texts, ...jsons.map((json) => JSON.stringify(json))].map(redact);
      expect(once.join()).not.toContain('S3cr3t');
      expect(once.map(redact)).toEqual(once);
    },
  );

  it('contains marks of other programs', () => {
    for (const text of ["{ cookie: [Object], host: 'x' }", 'set-cookie: [Array], 5', 'cookie: [REDACTED]}']) {
      expect(redacted(text)).toBe(text);
    }
    const own = new SecretFinder({ keys: ['ssn'], replacement: 'gone' });
    const redact = (text: string): string => own.replaceInText(text, () => 'gone');
    for (const mark of [
      '[Redacted]',
      'REDACTED',
      '[Filtered]',
      '<redacted>',
      'xxxx',
      '••••',
      '***',
      'Bearer ***',
    ]) {
      const jsons = [{ password: mark, ssn: mark }, { cookie: [mark, mark] }, { text: `{"ssn": "${mark}"` }];
      const texts = jsons.map((json) => JSON.stringify(json));
      texts.push(`Authorization: ${mark}\r\nHost: x`, `at postgres://app:${mark.split(' ').at(-1)}@db/shop`);
      expect(texts.map(redact)).toEqual(texts);
      expect(redact(JSON.stringify({ ssn: `${mark} S3cr3t` }))).toBe('{"ssn":"gone"}');
    }
  });
});

describe('The quick test for secrets', () => {
  // The first key starts with the second one.
  const keys = ['ssnNumber', 'ssn'];
  const quick = new SecretFinder({ keys });
  /** Searches everything, because a pattern of the caller could match anything. */
  const slow = new SecretFinder({ keys, custom: new Map([['none', /(?!)/]]) });
  const json = (searching: SecretFinder, text: string): string => {
    const bytes = Buffer.from(text);
    return searching.mayFind(bytes, 0, bytes.length)
      ? searching.replaceInJson(text, () => '[redacted]')
      : text;
  };
  const NAMES = [
    'password',
    'api.key',
    'dbPassword',
    'token',
    'authorization',
    'headers.set-cookie',
    'access_token',
    'ssn',
    'ssn_number',
  ];
  const ENDS = ['', '.0', '.0.1', '[0]', '[]', '.', '_1', '-'];
  const SIGNS = ['=', ': ', '\t=\t', '\n: ', ' =', '\u00a0= ', ' => ', '\r\n= ', '\u3000:'];
  const OTHERS = [
    ...['%2D', '%2d', '%20', '%2E', '%5F', '-', ' '].map(
      (separator) => `a=1&access${separator}token=S3cr3tS3cr3t`,
    ),
    ...[' ', '\t', '\n', '\u00a0'].flatMap((space) =>
      ['Basic', 'basic', 'BASIC', 'Bearer', 'bearer', 'BEARER', 'bEaReR'].map(
        (scheme) => `${scheme}${space}S3cr3tS3cr3tS3cr3t`,
      ),
    ),
    ...[0, 1, 2, 4, 8].flatMap((count) => {
      const slash = `${'\\'.repeat(count)}/`;
      return [`postgres:${slash}${slash}u:S3cr3t@h.example`, `postgres:/${slash}u:S3cr3t@h.example`];
    }),
    ...['4111 1111 1111 1111', '4111-1111-1111-1111', '3400 000000 00009', '4222222222222'],
    ...[
      '30000000000004',
      '5500005555555559',
      '4111 1111 1111 1111110',
      'x4111111111111111',
      '4.4111111111111111',
    ],
    // Each contains another byte in UTF-8.
    ...Array.from({ length: 64 }, (_, byte) => String.fromCharCode(0xc0 + byte, 0x80 * (byte + 17))).map(
      (characters) => `postgres://${characters}:S3cr3t${characters}@h.example`,
    ),
  ];
  const texts = [
    ...NAMES.flatMap((name) =>
      ENDS.flatMap((end) => SIGNS.map((sign) => `${name}${end}${sign}S3cr3tS3cr3t`)),
    ),
    ...OTHERS,
    ...Object.values(TEXTS),
  ];

  it('passes each text in which a search would find one', () => {
    const different = texts.filter(
      (text) =>
        quick.replaceInText(text, () => '[redacted]') !== slow.replaceInText(text, () => '[redacted]'),
    );
    expect(different).toEqual([]);
    expect(
      texts.filter((text) => !slow.replaceInText(text, () => '').includes('S3cr3t')).length,
    ).toBeGreaterThan(300);
  });

  it.each([
    ['4611686018427387900', false],
    ['46116860184273879', false],
    ['4611686018427387', true],
  ])('says of the ID %s that it may be a card number: %j', (id, expected) => {
    const bytes = Buffer.from(`{"trace_id":"${id}","id":${id}}`);
    expect(quick.mayFind(bytes, 0, bytes.length)).toBe(expected);
  });

  it('passes each record in which a search would find one, also in JSON inside JSON', () => {
    const records = [
      ...NAMES.flatMap((name) => ENDS.map((end) => ({ [name + end]: 'S3cr3tS3cr3t' }))),
      ...NAMES.flatMap((name) =>
        ['S3cr3tS3cr3t', ['S3cr3tS3cr3t'], { a: 1 }, 123456].flatMap((value) => [
          { value, name },
          { key: name, id: 1, value },
        ]),
      ),
      ...texts.map((text) => ({ text })),
      ...texts.map((text) => ({ body: JSON.stringify({ text: JSON.stringify({ text }) }) })),
    ].map((record) => JSON.stringify(record));
    expect(records.filter((record) => json(quick, record) !== json(slow, record))).toEqual([]);
  });

  it.each(['a"b', 'a\\b'])('passes values of the key %s', (key) => {
    const record = JSON.stringify({ [key]: 'S3cr3t' });
    expect(json(new SecretFinder({ keys: [key] }), record)).not.toContain('S3cr3t');
  });
});

describe('A name beside its value', () => {
  it.each([
    '{"key":"authorization","name":"x","value":"S3cr3t"}',
    '{"name":"authorization","key":"x","value":"S3cr3t"}',
    '{"val\\u0075e":"S3cr3t","na\\u006de":"authori\\u007aation"}',
    '{"value":{"a":"S3cr3t"}, "id": 1, "name" : "\\u0061uthorization"}',
    '{"value":["S3cr3t",{"password":"x"}],"name":"authorization"}',
    '{"Key":"authori\\u007aation","VALUE":"S3cr3t"}',
    '["authorization",["S3cr3t","S3cr3t"]]',
    '["set-cookie",["sid=S3cr3t"],"host","h"]',
  ])('redacts %s', (record) => {
    expect(finder.replaceInJson(record, () => '[redacted]')).not.toContain('S3cr3t');
  });

  it('keeps all but the values', () => {
    const json = '{"value":{"a":[1,{"password":"x"}]}, "id": 1.0, "password":"y", "name":"ssn", "last":"z"}';
    expect(finder.replaceInJson(json, () => '…')).toBe(
      '{"value":"…", "id": 1.0, "password":"…", "name":"ssn", "last":"z"}',
    );
    expect(redacted("{ value: { a: 1 }, id: 1, name: 'ssn', last: 'z' }, { value: 'y', name: 'b' }")).toBe(
      "{ value: [redacted], id: 1, name: 'ssn', last: 'z' }, { value: 'y', name: 'b' }",
    );
  });

  it('redacts numbers before their name', () => {
    expect(redacted('{"value":1234,"key":"ssn"}')).toBe('{"value":"[redacted]","key":"ssn"}');
    expect(redacted("got { value: 1234, key: 'ssn' }")).toBe("got { value: [redacted], key: 'ssn' }");
  });
});

describe('Patterns of the caller', () => {
  const redact = (json: string, custom: RegExp): string =>
    new SecretFinder({ custom: new Map([['own', custom]]) }).replaceInJson(json, () => 'x', {
      isEvent: true,
    });

  it.each([1_700_000_000_000, '"2026-01-02T03:04:05.006Z"'])(
    'leave the time %s and the names of an event as they are',
    (time) => {
      const event = (value: string): string => `{"timestamp":${time},"attributes":{"n":"${value}"}}`;
      expect(redact(event('12345'), /\d+/)).toBe(event('x'));
      expect(redact(event('12345'), /[a-z]{4,}/)).toBe(event('12345'));
    },
  );

  it('find short text, and so does the pattern for e-mail addresses', () => {
    expect(redact('{"attributes":{"zip":"12345"}}', /^\d{5}$/)).toBe('{"attributes":{"zip":"x"}}');
    const mails = new SecretFinder({ kinds: { ...DEFAULT_KINDS, email: true } });
    expect(mails.replaceInText('a@b.de', () => 'x')).toBe('x');
  });
});
