// cspell:disable: parts of tokens and of escaped names.
import { analyse } from 'scslre';
import { expect, it } from 'vitest';
import { SecretFinder } from '../../../src/core/secrets/secret-finder.ts';
import { DEFAULT_KINDS } from '../../../src/core/secrets/secret-kinds.ts';
import { lawCases } from '../../helpers/laws.ts';
import { stepsOf } from './counted-steps.ts';
import { VALUES } from './promises.ts';

const options = { keys: ['ssn'], kinds: { ...DEFAULT_KINDS, email: true } };
const finder = new SecretFinder(options);
/** Searches everything, because a pattern of the caller could match anything. */
const thorough = new SecretFinder({ ...options, custom: new Map([['none', /(?!)/]]) });
const SIZE = 1_000;
const GROWTH = 2;

/** Quadratic work grows by 4. */
function expectLinear(textOf: (size: number) => string): void {
  const [small, large] = [SIZE, GROWTH * SIZE].map((size) => {
    const text = textOf(size);
    return stepsOf(() => finder.replaceInText(text, () => '…'));
  });
  expect(large! / small!, `${small} and ${large} steps`).toBeLessThan(1.25 * GROWTH);
}

/** Starts of matches that go on, but never end. */
const HOSTILE = [
  ...['-eyJaaaaa', 'eyJaaaaa.', 'password={', 'password=a,', 'password="', 'a.', 'a[', 'name: "', '\\"'],
  ...['a@a.', 'a://b:', 'Bearer a', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', '%77', '\\u0070', '4111 '],
  ...['cookie: a;', 'authorization: Digest a, b=c, ', "password='a'+", 'sig=', ' ', 'password=a(', '\\'],
  ...[
    "name: 'ssn', value: {",
    "value: {name: 'password', ",
    "value: 'a', name: 'password', ",
    "value: ',",
    "name: '",
  ],
  ...['authorization: denied ', 'cookie: ="', '\r\ncookie: ', 'cookie:\r\n ', '\\ncookie: a', "cookie: ='\\"],
  ...[
    '%22token%22%3A%22',
    '--token a',
    '<token a>',
    'token: {secretName: a',
    '[32mssn',
    'a:b@tcp(',
    'a/b@//',
  ],
  ...[
    '\r\nToken: {',
    '\r\nToken: [',
    '[a[]',
    '\u001b[32m',
    'a://a:b@c a@b.co ',
    'a%40a.',
    'a%2B',
    'ssn=a ',
    'ssn: a  ',
  ],
];

const REPETITIONS = HOSTILE.flatMap((unit) => [
  [unit, 'password=x '] as const,
  [unit, 'password={'] as const,
]);

it.each(lawCases(REPETITIONS, 8))('searches repetitions of %j after %j in linear time', (unit, start) => {
  expectLinear((length) => start + unit.repeat(length / unit.length));
});

it.each([
  ['deep JSON', 8, (depth: number) => `${'{"a":'.repeat(depth)}{"password":"x"}${'}'.repeat(depth)}`],
  [
    'pairs beside each other',
    4,
    (count: number) =>
      `[${Array(count).fill('{"value":{"token":"x"},"id":1,"name":"authorization"}').join()}]`,
  ],
  [
    'values without a name',
    4,
    (count: number) => `[${Array(count).fill('{"value":"x"}').join()},{"token":"x"}]`,
  ],
  ['values in one object', 4, (count: number) => `{${'"value":"x",'.repeat(count)}"name":"password"}`],
])('searches %s in linear time', (_, part, json) => {
  expectLinear((size) => json(size / part));
});

it('searches with regular expressions of which none takes exponential or polynomial time', () => {
  const used = new Map<string, RegExp>();
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    used.set(String(this), this);
    return exec.call(this, text);
  };
  try {
    const texts = [...HOSTILE, ...Object.values(VALUES).flatMap(({ found }) => found)];
    for (const text of texts)
      thorough.replaceInText(
        `${text} --password x <token>x</token> token=${text} ssn=a b ${text}`,
        () => '…',
      );
  } finally {
    Object.assign(RegExp.prototype, { exec });
  }
  const own = [...used.values()].filter((regex) => !regex.source.includes('(?!)'));
  expect(own.length).toBeGreaterThan(100);
  const reports = own.flatMap((regex) =>
    analyse(regex, { maxReports: 1 }).reports.map((report) => [
      report.type,
      report.exponential,
      String(regex),
    ]),
  );
  expect(reports).toEqual([]);
});
