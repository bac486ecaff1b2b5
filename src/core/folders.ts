import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, also if another process creates them at the same time. Node's `recursive` option loops
 * forever where creating a folder fails with ENOENT although its parent exists, such as in /proc and below the folders of
 * an automounter.
 *
 * @throws Error of the file system
 */
export function makeFolders(path: string, mode?: number): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
