import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Some systems take 108 bytes for the path of a socket, some 104, with a NUL at the end. */
const LONGEST_PATH_BYTES = 103;

export interface SocketPath {
  readonly path: string;
  /** The path can't be used after this. */
  release(): void;
}

/**
 * A path for a socket in `folder` that is short enough for the system, whatever the folder's own is.
 *
 * @throws Error of the file system
 */
export function socketPath(folder: string, name: string): SocketPath {
  const direct = join(folder, name);
  if (Buffer.byteLength(direct) <= LONGEST_PATH_BYTES) return { path: direct, release() {} };
  return throughDescriptor(folder, name) ?? throughLink(folder, name);
}

/** Linux has a short name for every open folder. */
function throughDescriptor(folder: string, name: string): SocketPath | undefined {
  if (!existsSync('/proc/self/fd')) return undefined;
  const descriptor = openSync(folder, 'r');
  return { path: `/proc/self/fd/${descriptor}/${name}`, release: () => closeSync(descriptor) };
}

/** @throws Error of the file system */
export function throughLink(folder: string, name: string): SocketPath {
  const link = join(tmpdir(), `lc-${randomBytes(6).toString('hex')}`);
  symlinkSync(folder, link);
  return { path: join(link, name), release: () => rmSync(link, { force: true }) };
}
