import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { findFunction } from '../../src/engine/functions/registry.ts';
import { GOLDEN_CASES } from './golden/all.ts';
import type { GoldenCase } from './golden/golden-case.ts';

const FILE = resolve(import.meta.dirname, '../../scripts/conformance/cases.ndjson');

/** Whether a query has all that the case needs. */
const isPortable = ([, events, , options]: GoldenCase): boolean =>
  Object.keys(options ?? {}).every((name) => ['arguments', 'timeZone'].includes(name)) &&
  JSON.stringify(events).length < 5_000;

it('scripts/conformance/cases.ndjson has the golden cases and the uncertain decisions of every function', async () => {
  const functions = Object.entries(GOLDEN_CASES).map(([name, cases]) => ({
    name,
    uncertain: findFunction(name)!.uncertain,
    skipped: cases.filter((each) => !isPortable(each)).length,
    cases: cases
      .filter(isPortable)
      .map(([query, events, rows, options]) => ({ query, events, rows, ...options })),
  }));
  const lines = functions.map((each) => JSON.stringify(each)).join('\n');
  await expect(`${lines}\n`).toMatchFileSnapshot(FILE);
});
