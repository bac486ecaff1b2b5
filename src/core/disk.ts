import * as fs from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isLocked, type LivenessLock, lockFolder } from './liveness-lock.ts';
import { tryOr } from './try-or.ts';

/** `create`: a new file to append to and read; `write`: also an existing file, at any position. */
export type OpenMode = 'read' | 'update' | 'create' | 'write';

/** The file system of a process that keeps state. Simulations replace it. Calls throw the errors of `node:fs`. */
export interface Disk {
  /** Opens a file, readable by its user only. @returns its descriptor */
  open(path: string, mode: OpenMode): number;
  close(descriptor: number): void;
  /** @returns the number of bytes read; 0 at the end of the file. */
  read(descriptor: number, into: Uint8Array, offset: number, length: number, position: number): number;
  /** @param position the end of a file that was opened with `create`, if `null` @returns the number of bytes written */
  write(
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): number;
  truncate(descriptor: number, size: number): void;
  /** Waits until the bytes of a file survive power loss. Its name needs {@link syncFolder}. */
  sync(descriptor: number): void;
  syncLater(descriptor: number): Promise<void>;
  /** Waits until the names in a folder survive power loss. */
  syncFolder(path: string): void;
  syncFolderLater(path: string): Promise<void>;
  readFile(path: string): Buffer;
  /** Lets other work run between reads. */
  pause(): Promise<void>;
  stat(path: string): Pick<fs.Stats, 'size' | 'mtimeMs' | 'isDirectory'>;
  list(folder: string): Pick<fs.Dirent, 'name' | 'isDirectory'>[];
  rename(from: string, to: string): void;
  remove(file: string): void;
  /** Creates a folder that only the user can read. */
  makeFolder(path: string): void;
  /** Creates a folder with a unique name that starts with `prefix`. @returns its path */
  makeUniqueFolder(prefix: string): string;
  /** Removes an empty folder. */
  removeFolder(path: string): void;
  /**
   * Takes the permissions of other users away from a file or folder, which may be from an earlier version or another
   * program. Not from a folder that is meant for all users, such as /tmp, or that belongs to another user.
   */
  makePrivate(path: string, mode: number): void;
  /** See {@link lockFolder}. */
  lock(folder: string): LivenessLock;
  isLocked(folder: string): Promise<boolean>;
  /** True if a folder is shared with other machines, whose processes this machine can't see. */
  isOnNetwork(folder: string): boolean;
}

const FLAGS = { read: 'r', update: 'r+', create: 'ax+', write: fs.constants.O_CREAT | fs.constants.O_RDWR };

/** File system types of NFS, SMB, CIFS and SMB 2 on Linux. */
const NETWORK_TYPES = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

const STICKY = 0o1000;

const syncFile = promisify(fs.fsync);

export const nodeDisk: Disk = {
  open: (path, mode) => fs.openSync(path, FLAGS[mode], 0o600),
  close: fs.closeSync,
  read: fs.readSync,
  write: fs.writeSync,
  truncate: fs.ftruncateSync,
  sync: fs.fdatasyncSync,
  syncLater: promisify(fs.fdatasync),
  syncFolder(path) {
    const descriptor = fs.openSync(path, 'r');
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  },
  async syncFolderLater(path) {
    const descriptor = fs.openSync(path, 'r');
    await syncFile(descriptor).finally(() => fs.closeSync(descriptor));
  },
  readFile: (path) => fs.readFileSync(path),
  // Without a reference, an idle process would wait for its next timer.
  pause: () => setImmediate(),
  stat: (path) => fs.statSync(path),
  list: (folder) => fs.readdirSync(folder, { withFileTypes: true }),
  rename: fs.renameSync,
  remove: fs.unlinkSync,
  makeFolder: (path) => void fs.mkdirSync(path, 0o700),
  makeUniqueFolder: (prefix) => fs.mkdtempSync(prefix),
  removeFolder: (path) => fs.rmdirSync(path),
  makePrivate(path, mode) {
    const { mode: present, uid } = fs.statSync(path);
    const isForAll = (present & STICKY) !== 0;
    if ((present & 0o077) !== 0 && !isForAll && uid === process.getuid?.()) fs.chmodSync(path, mode);
  },
  lock: lockFolder,
  isLocked,
  isOnNetwork(folder) {
    if (process.platform !== 'linux') return false;
    return tryOr(false, () => NETWORK_TYPES.includes(fs.statfsSync(folder).type));
  },
};
