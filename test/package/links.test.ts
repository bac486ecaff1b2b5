import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './fresh-project.ts';

const { REPOSITORY } = await import(join(ROOT, 'scripts/package-metadata.mjs'));

/** Pages of the repository that are not in the package. */
const UNPUBLISHED_PAGES = ['SECURITY.md'];

/** What the hosting site serves below the address of the repository, beside files. */
const SITE_PAGES = ['', '/issues', '/security/advisories/new'];

let packed: string[];

beforeAll(async () => {
  const pack = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const { stdout } = await promisify(execFile)('npm', pack, { cwd: ROOT });
  packed = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
});

function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>\s]+)>/g)].map((match) => (match[1] ?? match[2])!);
}

/** The anchors of headings, as GitHub makes them. */
function headingIds(page: string): string[] {
  const headings = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isPacked(path: string): boolean {
  return packed.some((file) => file === path || file.startsWith(`${path}/`));
}

function leadsSomewhere(page: string, link: string): boolean {
  if (link.startsWith(REPOSITORY)) return isInRepository(link.slice(REPOSITORY.length));
  if (/^https?:/.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path);
  const exists = UNPUBLISHED_PAGES.includes(page) ? existsSync(join(ROOT, target)) : isPacked(target);
  return exists && (anchor === undefined || headingIds(target).includes(anchor));
}

function isInRepository(path: string): boolean {
  const file = /^\/(?:blob|tree)\/main\/([^#]+)/.exec(path)?.[1];
  return file === undefined ? SITE_PAGES.includes(path) : existsSync(join(ROOT, file));
}

describe('links', () => {
  it('in the packed pages lead to packed files and headings', () => {
    const pages = [...packed.filter((file) => file.endsWith('.md')), ...UNPUBLISHED_PAGES];
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/cli.md']));
    const links = pages.flatMap((page) =>
      linksOf(readFileSync(join(ROOT, page), 'utf8')).map((link) => ({ page, link })),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ page, link }) => !leadsSomewhere(page, link))).toEqual([]);
  });

  it('in the issue templates lead to files of the repository', () => {
    const text = readFileSync(join(ROOT, '.github/ISSUE_TEMPLATE/config.yml'), 'utf8');
    const links = [...text.matchAll(/url: (\S+)/g)].map((match) => match[1]!);
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !leadsSomewhere('.github/ISSUE_TEMPLATE/config.yml', link))).toEqual([]);
  });

  it('are recognized when they are broken', () => {
    const broken = ['docs/none.md', 'src/index.ts', 'docs/cli.md#none', `${REPOSITORY}/blob/main/none.md`];
    expect(broken.filter((link) => leadsSomewhere('README.md', link))).toEqual([]);
  });
});
