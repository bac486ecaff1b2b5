import { randomBytes } from 'node:crypto';
import { rmSync, statSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export const LOCK_NAME = 'lock.sock';

const IS_WINDOWS = process.platform === 'win32';

/** Systems limit socket paths to 104 or 108 bytes, including a NUL. */
const MAX_PATH_BYTES = 103;

interface SocketPath {
  readonly path: string;
  /** Invalidates the path. */
  release(): void;
}

/** Shows that the owner of a folder is alive. Ends with its process or worker thread, even if that is killed. */
export interface LivenessLock {
  /** False if the folder or the lock was removed. */
  isVisible(): boolean;
  release(): void;
}

/**
 * Locks a new folder by listening on a socket in it. Unlike a file, a socket stops responding when its process is killed,
 * and unlike a process ID, it is never reused.
 *
 * @throws Error if the file system does not support sockets.
 */
export function lockFolder(folder: string): LivenessLock {
  const { path, release } = lockPath(folder);
  const server = createServer((visitor) => visitor.destroy());
  server.on('error', () => {}); // Detected below: listening on a path takes effect immediately.
  // In a cluster, the primary would listen otherwise, and it outlives the worker.
  server.listen({ path, exclusive: true });
  server.unref();
  release();
  if (!server.listening) {
    throw new Error(
      "its file system doesn't support the lock (a Unix socket). Use a folder on a local disk for the spool",
    );
  }
  return {
    isVisible: () => isThere(IS_WINDOWS ? folder : join(folder, LOCK_NAME)),
    release() {
      server.close();
      rmSync(join(folder, LOCK_NAME), { force: true });
    },
  };
}

/** True if the owner of a folder is alive, or if that is unknown. */
export function isLocked(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    let address: SocketPath;
    try {
      address = lockPath(folder);
    } catch (error) {
      // Another process has claimed the folder, or it is not accessible.
      resolve((error as NodeJS.ErrnoException).code !== 'ENOENT');
      return;
    }
    const settle = (isAlive: boolean): void => {
      socket.destroy();
      address.release();
      resolve(isAlive);
    };
    const socket = connect({ path: address.path });
    socket.once('connect', () => settle(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}

function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}

/** A short path for the lock of a folder, whose own path may be long. @throws Error of the file system */
function lockPath(folder: string): SocketPath {
  // Named pipes are not part of a folder. Owner names are unique.
  const direct = IS_WINDOWS ? `\\\\.\\pipe\\logclient-spool-${basename(folder)}` : join(folder, LOCK_NAME);
  if (IS_WINDOWS || Buffer.byteLength(direct) <= MAX_PATH_BYTES) return { path: direct, release() {} };
  const link = join(tmpdir(), `lc-${randomBytes(6).toString('hex')}`);
  symlinkSync(folder, link);
  return { path: join(link, LOCK_NAME), release: () => rmSync(link, { force: true }) };
}
