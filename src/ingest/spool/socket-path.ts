import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Systems limit socket paths to 104 or 108 bytes, including a NUL. */
const MAX_PATH_BYTES = 103;

export interface SocketPath {
  readonly path: string;
  /** Invalidates the path. */
  release(): void;
}

/**
 * A path for a socket in `folder` that is short enough for the system, even if the folder's own path is not.
 *
 * @throws Error of the file system
 */
export function socketPath(folder: string, name: string): SocketPath {
  const direct = join(folder, name);
  if (Buffer.byteLength(direct) <= MAX_PATH_BYTES) return { path: direct, release() {} };
  return throughDescriptor(folder, name) ?? throughLink(folder, name);
}

/** On Linux, every open folder has a short path. */
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
