import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutCodeBlocks } from './markdown-blocks.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));

/** A table is a header, a line of dashes, and all lines until an empty one. */
const TABLE = /^\|.*\|\n\|[-:| ]+\|\n(?:.+\n)*/gm;

/** The cells of a line; a bar with a backslash is part of a cell. Undefined if the line is no row. */
function columnsOf(line: string): number | undefined {
  if (!/^\|.*\|$/.test(line)) return undefined;
  return line.split(/(?<!\\)\|/).length - 2;
}

function tablesIn(markdown: string): string[][] {
  return [...withoutCodeBlocks(markdown).matchAll(TABLE)].map(([table]) => table.trimEnd().split('\n'));
}

/** The rows that have not as many columns as the header. */
function brokenRows(markdown: string): string[] {
  return tablesIn(markdown).flatMap(([header = '', ...rows]) =>
    rows.filter((row) => columnsOf(row) !== columnsOf(header)),
  );
}

it.each(pages)('docs/%s has only tables whose rows have as many columns as their headers', (page) => {
  expect(brokenRows(readFileSync(join(DOCS, page), 'utf8'))).toEqual([]);
});

it('the tables of docs/ are found', () => {
  const found = pages.flatMap((page) => tablesIn(readFileSync(join(DOCS, page), 'utf8')));
  expect(found.length).toBeGreaterThan(100);
});

it('a row that spans several lines, and one with a bar that is not escaped, are found', () => {
  const head = '| a | b |\n|---|---|\n';
  expect(brokenRows(`${head}| \`x \\| y\` | 1 |\n\nText\n`)).toEqual([]);
  expect(brokenRows(`${head}| \`(\n  x,\n)\` | 1 |\n`)).toEqual(['| `(', '  x,', ')` | 1 |']);
  expect(brokenRows(`${head}| \`x | y\` | 1 |\n`)).toEqual(['| `x | y` | 1 |']);
});
