import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPT = 'scripts/package-metadata.mjs';
const WORKFLOWS = '.github/workflows';

const { REPOSITORY, FILES_WITH_ADDRESS, PLACEHOLDER, metadataOf, pathOf, withAddress } = await import(
  join(ROOT, SCRIPT)
);

const textOf = (file: string, folder = ROOT) => readFileSync(join(folder, file), 'utf8');
const manifestOf = (folder: string) => JSON.parse(textOf('package.json', folder));

/** A copy of the files that name the address, with another address in the script. */
function copyWith(address: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-metadata-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['package.json', SCRIPT, ...FILES_WITH_ADDRESS])
    cpSync(join(ROOT, file), join(folder, file));
  writeFileSync(join(folder, SCRIPT), textOf(SCRIPT).replace(REPOSITORY, address));
  return folder;
}

function runScript(folder: string, ...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, SCRIPT), ...args], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('The address of the repository', () => {
  it('is the same in package.json and all other files that the script updates', () => {
    expect(manifestOf(ROOT)).toMatchObject(metadataOf(REPOSITORY));
    const { stdout } = spawnSync('git', ['grep', '-l', pathOf(REPOSITORY)], { cwd: ROOT, encoding: 'utf8' });
    expect(new Set(stdout.trim().split('\n'))).toEqual(
      new Set([...FILES_WITH_ADDRESS, 'package.json', SCRIPT]),
    );
  });

  it('is written to every file by the script, which then allows publishing', () => {
    const address = 'https://github.com/example/logclient';
    const folder = copyWith(address);
    expect(runScript(folder, '--check').status).toBe(1);
    expect(runScript(folder)).toEqual({ status: 0, stderr: '' });
    expect(manifestOf(folder)).toEqual({ ...manifestOf(ROOT), ...metadataOf(address) });
    for (const file of FILES_WITH_ADDRESS) {
      expect(textOf(file, folder)).toBe(withAddress(textOf(file), REPOSITORY, address));
      expect(textOf(file, folder)).not.toContain(pathOf(REPOSITORY));
    }
    expect(runScript(folder, '--check')).toEqual({ status: 0, stderr: '' });
  });

  it('blocks publishing while it is a placeholder', () => {
    const folder = copyWith(`https://github.com/${PLACEHOLDER}/logclient`);
    runScript(folder);
    const { status, stderr } = runScript(folder, '--check');
    expect(status).toBe(1);
    expect(stderr).toBe(
      'REPOSITORY in scripts/package-metadata.mjs has a placeholder: run npm run release:check -- --owner NAME.\n',
    );
    expect(manifestOf(ROOT).scripts.prepublishOnly).toBe(`node ${SCRIPT} --check`);
  });
});

it.each(readdirSync(join(ROOT, WORKFLOWS)))('the workflow %s runs npm scripts that exist', (file) => {
  const { jobs } = parse(textOf(join(WORKFLOWS, file)));
  const steps = Object.values<{ steps?: { run?: string }[] }>(jobs).flatMap((job) => job.steps ?? []);
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands).not.toEqual([]);
  const scripts = commands.flatMap((command) => /^npm (?:run )?(test|[\w:]+)$/.exec(command)?.[1] ?? []);
  const known = ['ci', 'pack', ...Object.keys(manifestOf(ROOT).scripts)];
  expect(scripts.filter((name) => !known.includes(name))).toEqual([]);
});
