import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packed package that the tests install. */
    tarball: string;
  }
}

/** Packs the built package once for all tests, unless the folder in `LOGCLIENT_TARBALL` has the tarball to be released. */
export default async function packPackage(project: TestProject): Promise<() => Promise<void>> {
  const { LOGCLIENT_TARBALL: given } = process.env;
  const folder = given || (await mkdtemp(join(tmpdir(), 'logclient-packed-')));
  if (!given) {
    const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
    await promisify(execFile)('npm', pack, { cwd: project.config.root });
  }
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`There is no tarball in ${folder}.`);
  project.provide('tarball', join(folder, name));
  return async () => {
    if (!given) await rm(folder, { recursive: true });
  };
}
