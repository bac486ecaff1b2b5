import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import type { Disk, OpenMode } from '../../src/core/disk.ts';
import { type LivenessLock, LOCK_NAME } from '../../src/core/liveness-lock.ts';

/** A call of a process, before it takes effect. */
export interface DiskCall {
  readonly name: keyof Disk;
  readonly path: string;
  readonly process: DiskOfProcess;
}

/**
 * What happens to a call: it fails with the code of an error, or its process ends. At the end, a write may be complete, half
 * done or not done.
 */
export type DiskFault = { readonly code: string } | 'ends before' | 'ends halfway' | 'ends after';

export interface DiskOptions {
  readonly clock: Clock;
  readonly random: () => number;
}

/** What a crash of the machine keeps or loses as a whole. Real sectors are larger, so records are rarely torn there. */
const SECTOR_BYTES = 64;
const MAX_SYNC_MS = 20;

class File {
  bytes = Buffer.alloc(0);
  /** The content that survives a crash of the machine. */
  durable = Buffer.alloc(0);
  mtimeMs = 0;
}

class Folder {
  readonly entries = new Map<string, Inode>();
  mtimeMs = 0;
}

class Socket {
  owner: DiskOfProcess | undefined;
  readonly mtimeMs = 0;

  constructor(owner: DiskOfProcess) {
    this.owner = owner;
  }
}

type Inode = File | Folder | Socket;

interface OpenFile {
  readonly path: string;
  readonly file: File;
  readonly mode: OpenMode;
}

/** A change of names, which a crash of the machine may undo. */
interface NameChange {
  readonly folders: readonly Folder[];
  readonly undo: () => void;
}

/**
 * A disk in memory. All that a process has written survives its end. A crash of the machine keeps what was synced; of the
 * rest it keeps any sectors of each file, and the changes of names up to any of them, as file systems with a journal do.
 */
export class SimulatedDisk {
  readonly clock: Clock;
  readonly random: () => number;
  /** Decides the fault of each call. */
  faultOf: (call: DiskCall) => DiskFault | undefined = () => undefined;
  /** Size of all files that fits; a write fills the disk before it fails. */
  capacity = Number.POSITIVE_INFINITY;
  readonly #root = new Folder();
  #changes: NameChange[] = [];
  #processes: DiskOfProcess[] = [];
  #uniqueNames = 0;

  constructor({ clock, random }: DiskOptions) {
    this.clock = clock;
    this.random = random;
  }

  /** The disk as a new process sees it. */
  startProcess(): DiskOfProcess {
    const process = new DiskOfProcess(this);
    this.#processes.push(process);
    return process;
  }

  /** The power fails: all processes end, and what is not synced may be lost. */
  crash(): void {
    for (const process of this.#processes.splice(0)) process.kill();
    let lost = Math.floor(this.random() * (this.#changes.length + 1));
    for (; lost > 0; lost--) this.#changes.pop()!.undo();
    this.#changes = [];
    for (const [, inode] of this.#inodesIn(this.#root, '')) if (inode instanceof File) this.#tear(inode);
  }

  /** The paths of all files in a folder. */
  filesIn(folder: string): string[] {
    return this.#inodesIn(this.folder(folder), folder)
      .filter(([, inode]) => inode instanceof File)
      .map(([path]) => path);
  }

  get freeBytes(): number {
    const files = this.#inodesIn(this.#root, '').flatMap(([, inode]) => (inode instanceof File ? inode : []));
    return this.capacity - files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  uniqueName(): string {
    return String(this.#uniqueNames++).padStart(6, '0');
  }

  /** @throws Error with the code ENOENT or ENOTDIR */
  inode(path: string): Inode {
    let inode: Inode = this.#root;
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (!(inode instanceof Folder)) throw fileError('ENOTDIR', path);
      const next = inode.entries.get(name);
      if (next === undefined) throw fileError('ENOENT', path);
      inode = next;
    }
    return inode;
  }

  find(path: string): Inode | undefined {
    try {
      return this.inode(path);
    } catch {
      return undefined;
    }
  }

  folder(path: string): Folder {
    const inode = this.inode(path);
    if (!(inode instanceof Folder)) throw fileError('ENOTDIR', path);
    return inode;
  }

  /** Changes a name, until a crash of the machine undoes it. */
  setName(path: string, inode: Inode | undefined): void {
    this.#change([path], () => [this.#setEntry(path, inode)]);
  }

  rename(from: string, to: string): void {
    const inode = this.inode(from);
    const replaced = this.find(to);
    if (replaced instanceof Folder && replaced.entries.size > 0) throw fileError('ENOTEMPTY', to);
    this.#change([from, to], () => [this.#setEntry(from, undefined), this.#setEntry(to, inode)]);
  }

  /** A journal keeps the order, so all earlier changes are durable, too. */
  syncFolder(folder: Folder): void {
    const last = this.#changes.findLastIndex(({ folders }) => folders.includes(folder));
    this.#changes.splice(0, last + 1);
  }

  #change(paths: readonly string[], make: () => (() => void)[]): void {
    const folders = paths.map((path) => this.folder(dirname(path)));
    const undos = make().reverse();
    for (const folder of folders) folder.mtimeMs = this.clock.now();
    const undo = (): void => {
      for (const one of undos) one();
    };
    this.#changes.push({ folders, undo });
  }

  #setEntry(path: string, inode: Inode | undefined): () => void {
    const { entries } = this.folder(dirname(path));
    const name = basename(path);
    const before = entries.get(name);
    const set = (value: Inode | undefined): void => {
      if (value === undefined) entries.delete(name);
      else entries.set(name, value);
    };
    set(inode);
    return () => set(before);
  }

  #inodesIn(folder: Folder, path: string): [string, Inode][] {
    return [...folder.entries].flatMap(([name, inode]) => {
      const own: [string, Inode] = [join(path, name), inode];
      return inode instanceof Folder ? [own, ...this.#inodesIn(inode, own[0])] : [own];
    });
  }

  #tear(file: File): void {
    const { bytes, durable } = file;
    if (bytes.equals(durable)) return;
    const [least, most] = [Math.min(bytes.length, durable.length), Math.max(bytes.length, durable.length)];
    const part = this.random();
    const size =
      part < 0.25 ? least : part < 0.5 ? most : least + Math.floor(this.random() * (most - least + 1));
    const kept = Buffer.alloc(size);
    for (let at = 0; at < size; at += SECTOR_BYTES) {
      const source = this.random() < 0.7 ? bytes : durable;
      kept.set(source.subarray(at, Math.min(at + SECTOR_BYTES, size)), at);
    }
    file.bytes = kept;
    file.durable = Buffer.from(kept);
  }
}

function fileError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, '${path}'`), { code });
}

/** The disk as one process sees it. After its end, calls have no effect. */
export class DiskOfProcess implements Disk {
  readonly #disk: SimulatedDisk;
  readonly #files = new Map<number, OpenFile>();
  readonly #sockets = new Set<Socket>();
  #nextDescriptor = 3;
  hasEnded = false;

  constructor(disk: SimulatedDisk) {
    this.#disk = disk;
  }

  /** Number of open files. */
  get openFiles(): number {
    return this.#files.size;
  }

  get heldLocks(): number {
    return this.#sockets.size;
  }

  /** Closes its files and ends its locks. */
  kill(): void {
    this.hasEnded = true;
    this.#files.clear();
    for (const socket of this.#sockets) socket.owner = undefined;
    this.#sockets.clear();
  }

  open(path: string, mode: OpenMode): number {
    return this.#call('open', path, () => {
      let file = this.#disk.find(path);
      if (file === undefined && (mode === 'create' || mode === 'write')) {
        file = new File();
        this.#disk.setName(path, file);
      } else if (file === undefined) file = this.#disk.inode(path);
      else if (mode === 'create') throw fileError('EEXIST', path);
      if (file instanceof Folder && mode !== 'read') throw fileError('EISDIR', path);
      if (file instanceof Socket) throw fileError('ENXIO', path);
      const descriptor = this.#nextDescriptor++;
      // A folder can be opened, but not read.
      this.#files.set(descriptor, { path, file: file as File, mode });
      return descriptor;
    });
  }

  close(descriptor: number): void {
    const { path } = this.#opened(descriptor);
    this.#files.delete(descriptor); // Also if it fails, as on Linux.
    this.#call('close', path, () => {});
  }

  read(descriptor: number, into: Uint8Array, offset: number, length: number, position: number): number {
    const { path, file } = this.#opened(descriptor);
    return this.#call('read', path, () => {
      if (!(file instanceof File)) throw fileError('EISDIR', path);
      const bytes = file.bytes.subarray(position, position + length);
      into.set(bytes, offset);
      return bytes.length;
    });
  }

  write(
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): number {
    const { path, file, mode } = this.#opened(descriptor);
    return this.#call('write', path, (part) => {
      if (mode === 'read') throw fileError('EBADF', path);
      const at = mode === 'create' ? file.bytes.length : (position ?? 0);
      const grown = Math.max(0, at + length - file.bytes.length);
      const fits = Math.max(0, Math.min(length, length - grown + this.#disk.freeBytes));
      if (fits === 0 && length > 0) throw fileError('ENOSPC', path);
      const written = Math.floor(fits * part);
      const larger = Buffer.alloc(Math.max(file.bytes.length, at + written));
      file.bytes.copy(larger);
      larger.set(bytes.subarray(offset, offset + written), at);
      file.bytes = larger;
      file.mtimeMs = this.#disk.clock.now();
      return written;
    });
  }

  truncate(descriptor: number, size: number): void {
    const { path, file } = this.#opened(descriptor);
    this.#call('truncate', path, () => {
      file.bytes = Buffer.concat([file.bytes], size);
    });
  }

  sync(descriptor: number): void {
    const { path, file } = this.#opened(descriptor);
    this.#call('sync', path, () => {
      file.durable = Buffer.from(file.bytes);
    });
  }

  async syncLater(descriptor: number): Promise<void> {
    const { path, file } = this.#opened(descriptor);
    await this.#later('syncLater', path, () => {
      const before = file.durable;
      const durable = Buffer.from(file.bytes);
      return () => {
        // Another sync may have ended meanwhile.
        if (file.durable === before) file.durable = durable;
      };
    });
  }

  syncFolder(path: string): void {
    this.#call('syncFolder', path, () => this.#disk.syncFolder(this.#disk.folder(path)));
  }

  async syncFolderLater(path: string): Promise<void> {
    await this.#later('syncFolderLater', path, () => {
      const folder = this.#disk.folder(path);
      return () => this.#disk.syncFolder(folder);
    });
  }

  readFile(path: string): Buffer {
    return this.#call('readFile', path, () => {
      const file = this.#disk.inode(path);
      if (!(file instanceof File)) throw fileError('EISDIR', path);
      return Buffer.from(file.bytes);
    });
  }

  async pause(): Promise<void> {
    await this.#delay(0);
  }

  stat(path: string): ReturnType<Disk['stat']> {
    return this.#call('stat', path, () => {
      const inode = this.#disk.inode(path);
      const size = inode instanceof File ? inode.bytes.length : 0;
      return { size, mtimeMs: inode.mtimeMs, isDirectory: () => inode instanceof Folder };
    });
  }

  list(path: string): ReturnType<Disk['list']> {
    return this.#call('list', path, () =>
      [...this.#disk.folder(path).entries].map(([name, inode]) => {
        return { name, isDirectory: () => inode instanceof Folder };
      }),
    );
  }

  rename(from: string, to: string): void {
    this.#call('rename', from, () => this.#disk.rename(from, to));
  }

  remove(path: string): void {
    this.#call('remove', path, () => {
      if (this.#disk.inode(path) instanceof Folder) throw fileError('EISDIR', path);
      this.#disk.setName(path, undefined);
    });
  }

  makeFolder(path: string): void {
    this.#call('makeFolder', path, () => {
      if (this.#disk.find(path) !== undefined) throw fileError('EEXIST', path);
      this.#disk.setName(path, new Folder());
    });
  }

  makeUniqueFolder(prefix: string): string {
    return this.#call('makeUniqueFolder', prefix, () => {
      const path = `${prefix}${this.#disk.uniqueName()}`;
      this.#disk.setName(path, new Folder());
      return path;
    });
  }

  removeFolder(path: string): void {
    this.#call('removeFolder', path, () => {
      if (this.#disk.folder(path).entries.size > 0) throw fileError('ENOTEMPTY', path);
      this.#disk.setName(path, undefined);
    });
  }

  /** Files have no permissions here. */
  makePrivate(path: string): void {
    this.#call('makePrivate', path, () => this.#disk.inode(path));
  }

  lock(folder: string): LivenessLock {
    const path = join(folder, LOCK_NAME);
    const socket = new Socket(this);
    this.#call('lock', folder, () => {
      if (this.#disk.find(path) !== undefined) throw fileError('EADDRINUSE', path);
      this.#disk.setName(path, socket);
      this.#sockets.add(socket);
    });
    return {
      isVisible: () => this.#disk.find(path) !== undefined,
      release: () => {
        if (this.hasEnded) return;
        socket.owner = undefined;
        this.#sockets.delete(socket);
        if (this.#disk.find(path) !== undefined) this.#disk.setName(path, undefined);
      },
    };
  }

  async isLocked(folder: string): Promise<boolean> {
    try {
      const isLocked = this.#call('isLocked', folder, () => {
        const socket = this.#disk.find(join(folder, LOCK_NAME));
        return socket instanceof Socket && socket.owner !== undefined;
      });
      await this.#delay(this.#disk.random() < 0.5 ? 0 : 1);
      return isLocked;
    } catch {
      return true; // Unknown.
    }
  }

  isOnNetwork(): boolean {
    return false;
  }

  #opened(descriptor: number): OpenFile {
    if (this.hasEnded) throw fileError('EBADF', 'of a process that has ended');
    const opened = this.#files.get(descriptor);
    if (opened === undefined) throw new Error(`The descriptor ${descriptor} is not open: a bug.`);
    return opened;
  }

  /** @param work does a part of its work, from 0 to 1 */
  #call<Result>(name: keyof Disk, path: string, work: (part: number) => Result): Result {
    if (this.hasEnded) throw fileError('EBADF', 'of a process that has ended');
    const fault = this.#disk.faultOf({ name, path, process: this });
    if (fault === undefined) return work(1);
    if (typeof fault === 'object') throw fileError(fault.code, path);
    if (fault === 'ends after') work(1);
    else if (fault === 'ends halfway' && name === 'write') work(this.#disk.random());
    this.kill();
    throw fileError('EBADF', 'of a process that has ended');
  }

  /** Takes effect later, unless the process ends before. */
  async #later(name: keyof Disk, path: string, start: () => () => void): Promise<void> {
    const finish = this.#call(name, path, start);
    await this.#delay(Math.floor(this.#disk.random() * MAX_SYNC_MS));
    finish();
  }

  /** Never resolves if the process ends. */
  #delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#disk.clock.startTimer(ms, () => {
        if (!this.hasEnded) resolve();
      });
    });
  }
}
