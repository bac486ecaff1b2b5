// cspell:disable: parts of tokens and of escaped names.
import { expect, it } from 'vitest';
import { SecretFinder } from '../../../src/core/secrets/secret-finder.ts';
import { DEFAULT_KINDS } from '../../../src/core/secrets/secret-kinds.ts';

const finder = new SecretFinder({ kinds: { ...DEFAULT_KINDS, email: true } });
const SIZE = 30_000;
const GROWTH = 16;
/** Added to the time for the short text, which can be too short to be measured. Quadratic time takes ten times as long. */
const UNMEASURED_US = 5_000;

/** Least CPU time of some runs: other processes only add to it. */
function cpuMicroseconds(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage().user;
    finder.replaceInText(text, () => '…');
    return process.cpuUsage(undefined).user - before;
  });
  return Math.min(...times);
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
  ...['\r\nToken: {', '\r\nToken: [', '[a[]', '\u001b[32m', 'a://a:b@c a@b.co '],
];

it.each(
  HOSTILE.flatMap((unit) => [
    [unit, 'password=x '],
    [unit, 'password={'],
  ]),
)('searches repetitions of %j after %j in linear time', (unit, start) => {
  const text = (length: number): string => start + unit.repeat(length / unit.length);
  const small = cpuMicroseconds(text(SIZE));
  // Quadratic time would be 256 times as much.
  expect(cpuMicroseconds(text(GROWTH * SIZE))).toBeLessThan(GROWTH * 4 * (small + UNMEASURED_US));
});

it.each([
  ['deep JSON', 150, (depth: number) => `${'{"a":'.repeat(depth)}{"password":"x"}${'}'.repeat(depth)}`],
  [
    'pairs beside each other',
    1_000,
    (count: number) =>
      `[${Array(count).fill('{"value":{"token":"x"},"id":1,"name":"authorization"}').join()}]`,
  ],
  [
    'values without a name',
    1_000,
    (count: number) => `[${Array(count).fill('{"value":"x"}').join()},{"token":"x"}]`,
  ],
  ['values in one object', 1_000, (count: number) => `{${'"value":"x",'.repeat(count)}"name":"password"}`],
])('searches %s in linear time', (_, size, json) => {
  const small = cpuMicroseconds(json(size));
  expect(cpuMicroseconds(json(size * GROWTH))).toBeLessThan(GROWTH * 4 * (small + UNMEASURED_US));
});
