import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BANNED_PHRASES } from './banned-phrases.ts';
import { withoutCodeBlocks, withoutGeneratedPart } from './markdown-blocks.ts';
import { publicDocstrings } from './public-docstrings.ts';
import { sourceComments, sourceTexts } from './source-texts.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The page that is generated from the other areas. */
const GENERATED_PAGE = 'options.md';

/** Prose to check, with its first line in the file. */
interface Passage {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Everything that people read: users, and readers of the code. */
const AREAS: readonly { name: string; isChecked: boolean; passages: () => Passage[] }[] = [
  { name: 'the Markdown pages', isChecked: true, passages: markdownPages },
  {
    name: 'help and messages of the command line',
    isChecked: true,
    passages: () => stringsIn(['src/tools/cli']),
  },
  { name: 'messages of the library', isChecked: true, passages: libraryStrings },
  { name: 'public docstrings', isChecked: true, passages: docstrings },
  {
    name: 'comments of the source',
    isChecked: true,
    passages: () => sourceComments(['src', 'transports']),
  },
];

describe.each(AREAS)('$name', ({ isChecked, passages }) => {
  it.skipIf(!isChecked)('contain no banned phrases', () => {
    const found = passages();
    expect(found.length).toBeGreaterThan(10);
    expect(found.flatMap(problemsOf)).toEqual([]);
  });
});

it('a banned phrase is reported with its line and a replacement, in any case and across lines', () => {
  const text = 'Mended at once.\nThe request is under\nway.\n';
  expect(problemsOf({ file: 'page.md', line: 7, text })).toEqual([
    'page.md:7: "Mended": write fix',
    'page.md:8: "under way": write in flight, running',
  ]);
});

it('words that contain a banned phrase are not reported', () => {
  const text = 'We recommend a text file. The connection was refused. Amended: true.';
  expect(problemsOf({ file: 'page.md', line: 1, text })).toEqual([]);
});

it('the words of the spelling dictionary are sorted and unique', () => {
  const words = readFileSync(join(ROOT, 'cspell-words.txt'), 'utf8').trim().split('\n');
  expect(words).toEqual([...new Set(words)].sort());
});

function problemsOf({ file, line, text }: Passage): string[] {
  return BANNED_PHRASES.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ index, 0: phrase }) => {
      const at = line + text.slice(0, index).split('\n').length - 1;
      return `${file}:${at}: "${phrase.replace(/\s+/g, ' ')}": write ${instead}`;
    }),
  );
}

function markdownPages(): Passage[] {
  const docs = readdirSync(join(ROOT, 'docs')).filter((page) => page.endsWith('.md'));
  const pages = docs.filter((page) => page !== GENERATED_PAGE).map((page) => `docs/${page}`);
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages].map((file) => {
    const text = withoutGeneratedPart(readFileSync(join(ROOT, file), 'utf8'));
    return { file, line: 1, text: withoutCode(text) };
  });
}

/** Code shows programs and their output. */
function withoutCode(markdown: string): string {
  return withoutCodeBlocks(markdown).replace(/`[^`\n]+`/g, '``');
}

function stringsIn(folders: readonly string[]): Passage[] {
  return sourceTexts(folders).filter(({ text }) => text.includes(' '));
}

function libraryStrings(): Passage[] {
  return stringsIn(['src', 'transports']).filter(({ file }) => !/^src\/tools\/(?!eslint)/.test(file));
}

function docstrings(): Passage[] {
  return publicDocstrings().map(({ file, line, text }) => ({
    file,
    line,
    text: text.replace(/^\s*\*/gm, ''),
  }));
}
