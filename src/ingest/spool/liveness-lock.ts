import { rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { type SocketPath, socketPath } from './socket-path.ts';

export const LOCK_NAME = 'lock.sock';

/** Pipes of Windows have no place in a folder. Owners have names of their own, so these will do. */
function pipeName(folder: string): string | undefined {
  return process.platform === 'win32' ? `\\\\.\\pipe\\logclient-spool-${basename(folder)}` : undefined;
}

function lockPath(folder: string): SocketPath {
  const pipe = pipeName(folder);
  return pipe === undefined ? socketPath(folder, LOCK_NAME) : { path: pipe, release() {} };
}

/** Says that the owner of a folder lives. It ends with its process or worker thread, however that ends. */
export interface LivenessLock {
  /** Whether others can still see it: somebody may have removed the folder. */
  isVisible(): boolean;
  release(): void;
}

/**
 * Locks a new folder: a socket that listens there. Nothing else is as sure a sign of life: process numbers are used
 * again, and files stay when a process is killed.
 *
 * @throws Error when the folder can't take it.
 */
export function lockFolder(folder: string): LivenessLock {
  const { path, release } = lockPath(folder);
  const server = createServer((visitor) => visitor.destroy());
  server.on('error', () => {}); // Seen below, for listening on a path takes effect at once.
  // In a cluster a worker would let the primary listen, which lives on when the worker is dead.
  server.listen({ path, exclusive: true });
  server.unref();
  if (!server.listening) {
    release();
    throw new Error(
      "its file system doesn't support the lock (a Unix socket). Use a folder on a local disk for the spool",
    );
  }
  return {
    isVisible: () => isThere(pipeName(folder) === undefined ? join(folder, LOCK_NAME) : folder),
    release() {
      server.close();
      release(); // Only now, for the server removes its socket by this path.
      rmSync(join(folder, LOCK_NAME), { force: true });
    },
  };
}

/** Whether the owner of a folder lives. In doubt it does. */
export function isLocked(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    let address: SocketPath;
    try {
      address = lockPath(folder);
    } catch (error) {
      // Somebody else has taken the folder meanwhile, or it isn't ours to touch.
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
