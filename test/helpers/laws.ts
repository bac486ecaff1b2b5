import fc from 'fast-check';

// How many cases a law tries, and which. `npm test` tries a few, the same in every run. `npm run laws` tries many, with
// new seeds: it runs all test files that import this module.

/** The seed of this run, for generators that fast-check does not run. */
export const lawSeed = Number(process.env.LAWS_SEED ?? 1);
const times = Number(process.env.LAWS_TIMES ?? 1);
const isLawsRun = process.env.LAWS_SEED !== undefined;

/** Parameters of `fc.assert` and `fc.sample`. @param few number of cases in `npm test` */
export function cases(few = 25): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: few * times, seed: lawSeed };
}

/** Rows of a large table, in its order: `few` of them in `npm test`, all in `npm run laws`. */
export function lawCases<Row>(table: readonly Row[], few: number): readonly Row[] {
  if (isLawsRun || few >= table.length) return table;
  const sample = fc.subarray([...table], { minLength: few, maxLength: few });
  return fc.sample(sample, cases(1))[0]!;
}

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/** Any character as the `unit` of `fc.string()`: the unit `binary` makes a table of all characters in each worker. */
export const anyCharacter = fc.nat(0x10ffff - SURROGATES).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (text) => {
    const code = [...String(text)].length === 1 ? String(text).codePointAt(0)! : Number.NaN;
    if (code < FIRST_SURROGATE) return code;
    if (code >= FIRST_SURROGATE + SURROGATES) return code - SURROGATES;
    throw new Error('not one character');
  },
);
