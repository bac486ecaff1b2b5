import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { check } from '../../../src/language/index.ts';
import { blocksOf } from '../../docs/markdown-blocks.ts';
import { runCommand } from '../../helpers/cli-run.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SKILL = join(ROOT, 'skills/logclient');
const TEXT = readFileSync(join(SKILL, 'SKILL.md'), 'utf8');
const FILES = ['SKILL.md', 'references/language.md'];

describe('The skill', () => {
  it('has a front matter with a name, that of its folder, and a description that says when to use it', () => {
    const { name, description } = parse(TEXT.split('---')[1]!);
    expect(name).toBe('logclient');
    expect(description).toMatch(/Use when /);
    expect(description.length).toBeLessThan(1024);
  });

  it('is short enough to be read at once, and names only files that the package has', () => {
    expect(TEXT.split('\n').length).toBeLessThan(150);
    const files = [...TEXT.matchAll(/`(?:node_modules\/logclient\/)?(docs\/[\w-]+\.md)`|\]\(([\w./-]+)\)/g)];
    const paths = files.map(([, doc, link]) => (doc === undefined ? join(SKILL, link!) : join(ROOT, doc)));
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('imports only what the package exports', async () => {
    const imports = [...TEXT.matchAll(/import \{ (.+) \} from '(logclient[\w/]*)'/g)];
    expect(imports.length).toBeGreaterThan(1);
    for (const [, names, module] of imports) {
      if (module === 'logclient/testing/vitest') continue; // only inside of vitest's own process of tests
      const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      const file = exports[module!.replace('logclient', '.')].import.default;
      const exported = await import(join(ROOT, file));
      for (const name of names!.split(', ')) expect(Object.keys(exported)).toContain(name.split(' as ')[0]);
    }
  });

  it('shows only valid queries', () => {
    const lines = blocksOf(TEXT).flatMap(({ language, text }) =>
      language === 'sh' ? [...text.matchAll(/'([^']+)'/g)].map((match) => match[1]!) : [],
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.flatMap((query) => check(query))).toEqual([]);
  });
});

describe('logclient skill install', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logclient-skill-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
  });
  const install = (...flags: string[]) => runCommand(['skill', 'install', '--dir', folder, ...flags]);
  const path = (name: string): string => join(folder, 'logclient', name);

  it('writes all files of the skill, and can run again', async () => {
    for (let times = 1; times <= 2; times++) {
      expect(await install()).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('SKILL.md'),
      });
    }
    for (const name of FILES) {
      expect(await readFile(path(name), 'utf8')).toBe(await readFile(join(SKILL, name), 'utf8'));
    }
  });

  it('writes to .claude/skills by default', async () => {
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    expect(await runCommand(['skill', 'install'])).toMatchObject({ code: 0 });
    expect(existsSync('.claude/skills/logclient/SKILL.md')).toBe(true);
  });

  it('does not overwrite a changed file without --force, and names it', async () => {
    await install();
    await writeFile(path('SKILL.md'), 'my own notes');
    const run = await install();
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('has changed files: SKILL.md. Nothing was written. Pass --force');
    expect(await readFile(path('SKILL.md'), 'utf8')).toBe('my own notes');
    expect(await install('--force')).toMatchObject({ code: 0 });
    expect(await readFile(path('SKILL.md'), 'utf8')).toBe(TEXT);
  });

  it('does not overwrite a file that it has not written', async () => {
    await install();
    await rm(path('.installed.json'));
    await writeFile(path('references/language.md'), 'another page');
    expect(await install()).toMatchObject({ code: 1 });
    expect(await readFile(path('references/language.md'), 'utf8')).toBe('another page');
  });

  it('replaces the unchanged files of an earlier version', async () => {
    await install();
    const { createHash } = await import('node:crypto');
    const earlier = 'text of version 0.0.9';
    const hash = createHash('sha256').update(earlier).digest('hex');
    await writeFile(path('SKILL.md'), earlier);
    await writeFile(path('.installed.json'), JSON.stringify({ 'SKILL.md': hash }));
    expect(await install()).toMatchObject({ code: 0 });
    expect(await readFile(path('SKILL.md'), 'utf8')).toBe(TEXT);
  });

  it('rejects an empty folder name', async () => {
    expect(await runCommand(['skill', 'install', '--dir', ''])).toMatchObject({ code: 2, stdout: '' });
  });

  it('reports a folder that it cannot create', async () => {
    await writeFile(join(folder, 'logclient'), 'a file');
    expect(await install()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/can't write .*\((EEXIST|ENOTDIR)\)/),
    });
  });
});
