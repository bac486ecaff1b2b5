import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

/** Maximum size for a page that loads the core. */
const MAX_GZIPPED_BYTES = 88_400;

let bundle = '';
let inputs: string[] = [];

beforeAll(async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../../src/language/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    // Fails for imports of Node modules.
    platform: 'browser',
    format: 'iife',
    globalName: 'language',
    target: 'es2024',
    metafile: true,
    write: false,
  });
  bundle = result.outputFiles[0]!.text;
  inputs = Object.keys(result.metafile.inputs);
});

test('the query language for browsers is within its size budget', () => {
  const bytes = gzipSync(bundle).length;
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(MAX_GZIPPED_BYTES);
});

test('docs/query-language.md states the size budget', () => {
  const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8');
  expect(page).toContain(`is at most ${MAX_GZIPPED_BYTES / 1000} kB gzipped`);
});

test('the query language for browsers contains no code of the engine or the server', () => {
  expect(inputs.length).toBeGreaterThan(30);
  expect(inputs.filter((file) => /src\/(engine|server|core\/http)/.test(file))).toEqual([]);
});

test("the query language works without Node's globals", () => {
  const script = `${bundle};
    const { check, complete, fixQuery, format, highlight, hover } = language;
    JSON.stringify([
      check('cuont()')[0].fix.text,
      fixQuery("level='x' | limit 5"),
      format('a = 1|b=2'),
      complete('groupB', 6)[0].insert,
      hover('count()', 2).title,
      highlight('a=1').length,
    ])`;
  expect(JSON.parse(runInNewContext(script, {}))).toEqual([
    'count',
    'level="x" | tail(5)',
    'a=1 | b=2',
    'groupBy(',
    'count([field], [as=_count], [distinct=false])',
    3,
  ]);
});
