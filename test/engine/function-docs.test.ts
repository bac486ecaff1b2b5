import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileQuery, emptyLibrary, functionNames } from '../../src/engine/index.ts';
import { FUNCTION_GROUPS } from '../../src/language/functions/docs/index.ts';
import { functionPage } from './function-docs.ts';
import { exampleRun } from './function-example.ts';

const FILE = new URL('../../docs/functions.md', import.meta.url);
/** The text above this line is handwritten. */
const MARKER = '<!-- Below: npx vitest run test/engine/function-docs.test.ts -u -->';

const docs = FUNCTION_GROUPS.flatMap(({ functions }) => Object.entries(functions));

test('every function has one documentation entry, and every entry has a function', () => {
  expect(docs.map(([name]) => name).sort()).toEqual([...functionNames()].sort());
});

test('the documentation table imports nothing from outside its folder', () => {
  const folder = new URL('../../src/language/functions/docs/', import.meta.url);
  const imports = readdirSync(folder).flatMap((name) => [
    ...readFileSync(new URL(name, folder), 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g),
  ]);
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.map(([, path]) => path).filter((path) => !path?.startsWith('./'))).toEqual([]);
});

describe.each(docs)('The documentation of %s', (name, doc) => {
  test('is one sentence', () => {
    expect(doc.sentence).toMatch(/^[A-Z][^.]*(?:\.(?=\S)[^.]*)*\.$/);
  });

  test('has an example that calls the function and returns rows without a warning', () => {
    expect(doc.example).toContain(`${name}(`);
    const run = exampleRun(name, doc);
    expect(run.rows()).not.toEqual([]);
    expect(run.warnings).toEqual([]);
  });
});

test('docs/functions.md has every function with the output of its example', async () => {
  const [handWritten = ''] = readFileSync(FILE, 'utf8').split(MARKER);
  await expect(`${handWritten}${MARKER}\n\n${functionPage()}\n`).toMatchFileSnapshot(FILE.pathname);
});

test('the queries in the lists of docs/query-language.md compile', () => {
  const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8');
  const items = page.match(/^- .*(?:\n {2}.*)*/gm) ?? [];
  const queries = items.flatMap((item) => item.match(/(?<=`)\w[^`…]*\([^`…]+\)(?=`)/g) ?? []);
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) compileQuery(query, { arguments: {}, library: emptyLibrary });
});
