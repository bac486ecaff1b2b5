import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FreshProject } from './fresh-project.ts';

/** Maximum number of packages that one `npm install` adds to a project with a logger. */
const MAX_PACKAGES = 9;
const MAX_BYTES = 9e6;
const MAX_BYTES_OF_DEPENDENCIES = 4e6;

/** Files take whole blocks on disk. */
const BLOCK_BYTES = 4096;

/** Folders of the installed packages, relative to the project, such as `node_modules/pino`. */
async function installedPackages(project: FreshProject): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(project.path, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.keys(lock.packages);
}

/** Size of a package on disk in bytes, without packages nested in it. */
async function bytesOnDisk(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries
    .filter(({ name }) => name !== 'node_modules')
    .map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return bytesOnDisk(path);
      return Math.ceil((await stat(path)).size / BLOCK_BYTES) * BLOCK_BYTES;
    });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

describe('npm install logclient', () => {
  it.each(['pino', 'winston', 'loglayer'])(
    'stays within the limits for packages and bytes in a project with %s',
    async (logger) => {
      const project = await FreshProject.createEmpty();
      onTestFinished(() => project.remove());
      await project.install(logger);
      const before = await installedPackages(project);
      await project.install(project.tarball);
      const added = (await installedPackages(project)).filter((name) => !before.includes(name));

      expect(added).toContain('node_modules/logclient');
      expect(added.length, added.join(', ')).toBeLessThanOrEqual(MAX_PACKAGES);
      const own = await bytesOnDisk(join(project.path, 'node_modules/logclient'));
      const sizes = await Promise.all(added.map((name) => bytesOnDisk(join(project.path, name))));
      const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
      expect(total, 'bytes with our own package').toBeLessThanOrEqual(MAX_BYTES);
      expect(total - own, 'bytes of the dependencies').toBeLessThanOrEqual(MAX_BYTES_OF_DEPENDENCIES);
    },
  );
});
