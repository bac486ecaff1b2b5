import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples/works-with');
const page = await readFile(join(ROOT, 'docs/works-with.md'), 'utf8');

it('docs/works-with.md shows files of examples/works-with unchanged', async () => {
  const names = await readdir(EXAMPLES);
  const files = await Promise.all(names.map((name) => readFile(join(EXAMPLES, name), 'utf8')));
  const shown = blocksOf(page).filter(({ language }) => language !== 'sh');
  expect(shown.length).toBeGreaterThan(6);
  for (const { text } of shown) expect(files.map((file) => file.trimEnd())).toContain(text.trimEnd());
});
