import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { OptionTypes } from '../docs/option-types.ts';
import { runNode } from '../helpers/run-node.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { FILES_WITH_ADDRESS, PLACEHOLDER, REPOSITORY } = await import(
  join(ROOT, 'scripts/package-metadata.mjs')
);
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const { version } = JSON.parse(textOf('package.json'));

/** A copy of what the release check reads, as it is before the first release. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const others = ['package.json', 'CHANGELOG.md', 'release/steps.md', 'editors/vscode/package.json'];
  const scripts = ['scripts/package-metadata.mjs', 'scripts/release-check.mjs'];
  for (const file of [...FILES_WITH_ADDRESS, ...others, ...scripts]) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  check(folder, '--owner', PLACEHOLDER);
  edit(folder, 'CHANGELOG.md', (text) => text.replace(/^## .+$/m, `## ${version} (unreleased)`));
  edit(folder, 'release/steps.md', (text) => text.replaceAll('- [x]', '- [ ]'));
  return folder;
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
}

function check(folder: string, ...args: string[]) {
  const script = join(folder, 'scripts/release-check.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('npm run release:check', () => {
  it('lists the placeholders, the date and the steps by hand, the publisher of the extension included', () => {
    const { status, stdout } = check(copy());
    expect(status).toBe(1);
    expect(stdout).toContain('REPOSITORY in scripts/package-metadata.mjs has a placeholder');
    for (const file of FILES_WITH_ADDRESS) expect(stdout).toContain(`${file}:`);
    expect(stdout).toMatch(/CHANGELOG\.md: "## .*unreleased/);
    expect(stdout).toMatch(/create the publisher of `editors\/vscode\/package\.json`/);
  });

  it('reports a file with another version', () => {
    const folder = copy();
    edit(folder, 'docs/local-server.md', (text) =>
      text.replaceAll(`logclient:${version}`, 'logclient:0.0.9'),
    );
    expect(check(folder).stdout).toContain('docs/local-server.md: names version 0.0.9 instead of');
  });

  it('writes the owner to all files, in lowercase to images, and leaves no placeholder', () => {
    const folder = copy();
    expect(check(folder, '--owner', 'Acme-Logs').stdout).not.toMatch(/placeholder/);
    const files = [...FILES_WITH_ADDRESS, 'package.json', 'scripts/package-metadata.mjs'];
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(texts.filter((text) => text.includes(PLACEHOLDER))).toEqual([]);
    expect(texts.filter((text) => /acme-logs\/logclient/i.test(text))).toHaveLength(files.length);
    expect(texts.join()).not.toMatch(/ghcr\.io\/Acme/);
    const extension = readFileSync(join(folder, 'editors/vscode/package.json'), 'utf8');
    expect(JSON.parse(extension)).toMatchObject({
      publisher: 'Acme-Logs',
      repository: { url: 'https://github.com/Acme-Logs/logclient' },
    });
  });

  it('rejects an owner that no account can have', () => {
    const { status, stderr } = check(copy(), '--owner', 'acme/logs');
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        '--owner must be the name of an account: letters, digits and hyphens (got "acme/logs").',
      ),
    });
  });

  it('passes when everything is set and done', () => {
    const folder = copy();
    edit(folder, 'CHANGELOG.md', (text) => text.replace('(unreleased)', '(2026-12-01)'));
    edit(folder, 'release/steps.md', (text) => text.replaceAll('- [ ]', '- [x]'));
    expect(check(folder, '--owner', 'example')).toEqual({
      status: 0,
      stdout: 'Nothing is left.\n',
      stderr: '',
    });
  });
});

describe.each(['pino', 'winston'])('The text for the list of transports of %s', (logger) => {
  const text = textOf(`release/${logger}.md`);

  it('has a program whose record arrives', async () => {
    const [, program = ''] = /^``` ?js\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const folder = await mkdtemp(join(ROOT, '.tmp-release-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'app.cjs');
    const settings = { 'https://cloud.us.humio.com': server.url, '<ingest token>': server.ingestToken };
    const local = Object.entries(settings).reduce((code, [from, to]) => code.replace(from, to), program);
    await writeFile(file, local);
    expect(await runNode(file, {})).toMatchObject({ code: 0, stderr: '' });
    expect(server.inspect.events()).toMatchObject([{ level: 'info', '#service': 'shop' }]);
  });

  it('names only options that exist', () => {
    const types = new OptionTypes();
    const names = new Set(
      [
        ...types.membersOf('src/ingest/options.ts', 'IngesterOptions'),
        ...types.membersOf('transports/winston/index.ts', 'LogTransportOptions'),
      ].map(({ name }) => name),
    );
    const named = [...text.matchAll(/^\* __(\w+):__|^ +(\w+): /gm)].map(([, a, b]) => a ?? b!);
    const known = named.filter((name) => !['target', 'options', 'transports'].includes(name));
    expect(known.length).toBeGreaterThan(2);
    expect(known.filter((name) => !names.has(name))).toEqual([]);
  });

  it('links existing pages of the repository', () => {
    const files = [...text.matchAll(/\/logclient\/blob\/main\/([\w./-]+)/g)].map((match) => match[1]!);
    for (const file of files) expect(textOf(file)).not.toBe('');
    expect(text).toContain(REPOSITORY);
  });
});
