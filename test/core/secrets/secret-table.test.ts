// cspell:disable: parts of names.
import { describe, expect, it } from 'vitest';
import { SecretFinder } from '../../../src/core/secrets/secret-finder.ts';
import { DEFAULT_KINDS } from '../../../src/core/secrets/secret-kinds.ts';
import {
  HEADER_NAMES,
  KEPT_TOKENS,
  PASSWORD_ENDINGS,
  PATTERNS,
} from '../../../src/core/secrets/secret-table.ts';
import { cases, lawSeed } from '../../helpers/laws.ts';
import { NAMED_SHAPES, VALUE_SHAPES } from '../../helpers/secret-records.ts';
import { cleanLines, FALSE_ALARMS } from './clean-lines.ts';
import { KEPT_NAMES, NAMES, VALUES } from './promises.ts';

const options = { kinds: { ...DEFAULT_KINDS, email: true } };
const finder = new SecretFinder(options);
/** Searches everything, because a pattern of the caller could match anything. */
const thorough = new SecretFinder({ ...options, custom: new Map([['none', /(?!)/]]) });
const MARK = '[redacted]';
const redacted = (text: string, own = finder): string => own.replaceInText(text, () => MARK);
const SECRET = 'tR0ub4dor-x7';

it('has examples and counterexamples of each of its names', () => {
  expect(Object.keys(NAMES).sort()).toEqual([...HEADER_NAMES, ...PASSWORD_ENDINGS].sort());
  for (const name of KEPT_TOKENS)
    expect(
      KEPT_NAMES.some((kept) => kept.toLowerCase().includes(`${name}token`) || kept.includes(`${name}_`)),
      name,
    ).toBe(true);
  for (const [name, { found, kept }] of Object.entries(NAMES)) {
    for (const each of found) expect(finder.nameOf(each), `${name}: ${each}`).toBeDefined();
    for (const each of kept) expect(finder.nameOf(each), `${name}: ${each}`).toBeUndefined();
  }
  expect(KEPT_NAMES.filter((name) => finder.nameOf(name) !== undefined)).toEqual([]);
});

it('has examples and counterexamples of each of its patterns', () => {
  expect(Object.keys(VALUES).sort()).toEqual([...new Set(PATTERNS.map(({ name }) => name))].sort());
  for (const [name, { found, kept }] of Object.entries(VALUES)) {
    for (const each of found) {
      const names: string[] = [];
      finder.replaceInText(`a ${each.replaceAll(/[«»]/g, '')} b`, (secret) => {
        names.push(secret.name);
        return MARK;
      });
      expect(names, each).toEqual([name]);
    }
    for (const each of kept) expect(redacted(`a ${each} b`)).toBe(`a ${each} b`);
  }
});

describe('Each promise holds, and all else stays', () => {
  const names = Object.values(NAMES).flatMap(({ found }) => found.filter((name) => /^[\w-]+$/.test(name)));
  const values = Object.values(VALUES).flatMap(({ found }) =>
    found.map((value) => (value.includes('«') ? value : `«${value}»`)),
  );

  /** @param cases a text, and what it must become. */
  function expectRedacted(cases: readonly (readonly [text: string, expected: string])[]): void {
    expect(
      cases.filter(([text, expected]) => redacted(text) !== expected).map(([text]) => [text, redacted(text)]),
    ).toEqual([]);
    expect(cases.filter(([, expected]) => redacted(expected) !== expected)).toEqual([]);
    expect(cases.filter(([text]) => redacted(text) !== redacted(text, thorough))).toEqual([]);
  }

  it.each(Object.entries(NAMED_SHAPES))('for each name: %s', (title, shape) => {
    const whole = title === 'an array in a field' ? NAMED_SHAPES['a single field']! : shape;
    // The value of a cookie may contain an ampersand.
    const own = names.filter((name) => title !== 'a query' || !/cookie/i.test(name));
    expectRedacted(own.map((name) => [shape(name, SECRET), whole(name, MARK)]));
  });

  it.each(Object.entries(VALUE_SHAPES))('for each value: %s', (_, shape) => {
    expectRedacted(
      values.map((value) => [shape(value.replaceAll(/[«»]/g, '')), shape(value.replace(/«.*»/s, MARK))]),
    );
  });
});

/** Numbers from 0 to 1, from a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it('changes at most one of 200 clean lines of 20 formats, and none of what only looks like a secret', () => {
  const scanning = new SecretFinder(options);
  const { numRuns } = cases(1_000);
  const changed = cleanLines(numRuns, randomNumbers(lawSeed)).filter(
    ([, line]) => redacted(line, scanning) !== line,
  );
  expect(changed.filter(([title]) => title in FALSE_ALARMS).slice(0, 20)).toEqual([]);
  expect(changed.length, JSON.stringify(changed.slice(0, 10))).toBeLessThanOrEqual(numRuns / 200);
});
