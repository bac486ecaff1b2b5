import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../fresh-project.ts';

/** The path that the site is served below. */
const BASE = '/logclient/';
const ADDRESS = `https://site.example${BASE}`;
const SITE = join(ROOT, 'docs/site/dist');

const pages = readdirSync(join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file.slice(0, -'.md'.length)}`);

const htmlOf = (page: string) => readFileSync(join(SITE, `${page}.html`), 'utf8');

describe('npm run docs:site', () => {
  beforeAll(() => {
    // Vitest's NODE_ENV would build the pages for tests.
    const env = { ...process.env, NODE_ENV: undefined, VITEST: undefined };
    const { status, stderr } = spawnSync('npm', ['run', 'docs:site'], { cwd: ROOT, env, encoding: 'utf8' });
    // Fails for dead links, too, with their names.
    expect(status, stderr).toBe(0);
  }, 600_000);

  it('builds the README, each page of docs/ and the API reference', () => {
    const expected = ['index', ...pages, 'api/index', 'api/classes/src.BaseLogClient'];
    expect(expected.filter((page) => !existsSync(join(SITE, `${page}.html`)))).toEqual([]);
    expect(htmlOf('index')).toContain('Falcon LogScale');
  });

  it('builds links with anchors that exist on their pages', () => {
    const anchors = ['index', ...pages].flatMap((page) =>
      [...htmlOf(page).matchAll(/href="([\w./-]*#[^"]+)"/g)]
        .map((match) => new URL(match[1]!, `${ADDRESS}${page}`))
        .map(({ pathname, hash }) => ({
          page,
          target: pathname.slice(BASE.length),
          id: decodeURIComponent(hash.slice(1)),
        })),
    );
    expect(anchors.length).toBeGreaterThan(50);
    expect(anchors.filter(({ target, id }) => !htmlOf(target).includes(`id="${id}"`))).toEqual([]);
  });

  it('points links to files that are not pages at the repository', () => {
    expect(htmlOf('index')).toMatch(
      /href="https:\/\/github\.com\/[\w-]+\/logclient\/blob\/main\/CONTRIBUTING\.md"/,
    );
    expect(htmlOf('docs/recipes')).toMatch(/href="https:[^"]+\/blob\/main\/examples\/fastify"/);
  });
});
