import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FreshProject } from './fresh-project.ts';

const MAX_BYTES = 8.33e6;

/** Files take whole blocks on disk. */
const BLOCK_BYTES = 4096;

/** Folders of the installed packages, relative to the project, such as `node_modules/pino`. */
async function installedPackages(project: FreshProject): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(project.path, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.keys(lock.packages);
}

/** Size of a folder on disk in bytes. */
async function bytesOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytesOnDisk(path);
    return Math.ceil((await stat(path)).size / BLOCK_BYTES) * BLOCK_BYTES;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

describe('npm install logclient', () => {
  it.each(['pino', 'winston', 'loglayer'])(
    'adds one package, within the limit for bytes, to a project with %s',
    async (logger) => {
      const project = await FreshProject.createEmpty();
      onTestFinished(() => project.remove());
      await project.install(logger);
      const before = await installedPackages(project);
      await project.install(project.tarball);
      const added = (await installedPackages(project)).filter((name) => !before.includes(name));

      expect(added).toEqual(['node_modules/logclient']);
      const bytes = await bytesOnDisk(join(project.path, 'node_modules/logclient'));
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    },
  );
});
