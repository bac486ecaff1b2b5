import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const EXAMPLES = join(ROOT, 'examples');
const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');
const nextjs = readFileSync(join(ROOT, 'docs/nextjs.md'), 'utf8');
const migrating = readFileSync(join(ROOT, 'docs/migrating.md'), 'utf8');

const files = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter(
  (file) => !file.includes('node_modules'),
);
/** Examples of other pages. */
const OTHERS = ['docker', 'works-with'];
const recipes = files
  .filter((file) => /^[^/]+\/package\.json$/.test(file))
  .map((file) => file.split('/')[0]!)
  .filter((name) => !OTHERS.includes(name));

/** What the pages show of programs. */
const blocks = [...`${page}${nextjs}`.matchAll(/^```[jt]sx?\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);

/** The code without what indents it. */
function outdented(text: string): string {
  return text.replace(/^ +/gm, '');
}

describe('the page of recipes', () => {
  it('links to the folder of every recipe, and migrating.md to every move', () => {
    expect(recipes).toContain('fastify');
    const pageOf = (name: string) => (name.startsWith('from-') ? migrating : page);
    expect(recipes.filter((name) => !pageOf(name).includes(`(../examples/${name}`))).toEqual([]);
  });

  it('shows only code of the recipes', () => {
    const sources = files
      .filter((file) => /\.m?[jt]sx?$/.test(file))
      .map((file) => join(EXAMPLES, file))
      .concat(join(ROOT, 'test/package/matrix/nextjs.test.ts'))
      .map((file) => outdented(readFileSync(file, 'utf8')));
    expect(blocks.length).toBeGreaterThan(8);
    expect(blocks.filter((text) => !sources.some((source) => source.includes(outdented(text))))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const links = [...`${page}${nextjs}${migrating}`.matchAll(/\]\(\.\.\/(examples\/[^)]+)\)/g)].map(
      ([, path]) => path!,
    );
    expect(links.filter((path) => !isThere(path))).toEqual([]);
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => `#${anchor(title!)}`);
    const anchors = [...page.matchAll(/\]\((#[^)]+)\)/g)].map(([, target]) => target!);
    expect(anchors).toEqual(headings);
  });

  it('pins every package, to the same version in all recipes', () => {
    const pins = recipes.flatMap(pinsOf);
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    const versions = new Set(pins.map((pin) => pin.join('@')));
    expect([...versions]).toHaveLength(new Set(pins.map(([name]) => name)).size);
  });

  it('uses the versions of this package and of its loggers in package.json', () => {
    const { version, devDependencies } = packageAt(ROOT);
    const own: Record<string, string> = { ...devDependencies, logclient: version };
    const others = recipes.flatMap((name) =>
      pinsOf(name).filter(([name, pin]) => name in own && pin !== own[name]),
    );
    expect(others).toEqual([]);
  });
});

function packageAt(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function pinsOf(recipe: string): [string, string][] {
  const { dependencies, devDependencies } = packageAt(join(EXAMPLES, recipe));
  return Object.entries<string>({ ...dependencies, ...devDependencies });
}

function isThere(path: string): boolean {
  return files.includes(path.replace(/^examples\//, ''));
}

/** What a heading is called in a link, as GitHub has it. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
