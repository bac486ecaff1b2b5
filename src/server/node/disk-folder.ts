import { basename, join, resolve } from 'node:path';
import { type Disk, nodeDisk } from '../../core/disk.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { makeFolders } from '../../core/folders.ts';
import { tryOr } from '../../core/try-or.ts';
import { DiskError, type StateFolder } from '../state-folder.ts';

/** Starts the names of subfolders that are being created or removed. It can't start the name of a repository. */
const PARTIAL = '.partial-';

/** A folder on disk, for a server with a `dataDir`. */
export class DiskFolder implements StateFolder {
  readonly disk: Disk;
  readonly #parent: DiskFolder | undefined;
  #name: string;

  /** @throws LogOptionsException if the path is not a folder and can't be created. */
  static open(path: string, disk: Disk = nodeDisk): DiskFolder {
    try {
      return new DiskFolder(resolve(path), disk);
    } catch (error) {
      const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
      const message = `startLocalServer: the "dataDir" ${path} can't be used (${code}). It must be a writable folder, or a path where one can be created.`;
      throw new LogOptionsException(message, { cause: error });
    }
  }

  private constructor(name: string, disk: Disk, parent?: DiskFolder) {
    this.disk = disk;
    this.#name = name;
    this.#parent = parent;
    this.make();
    disk.makePrivate(this.path, 0o700);
  }

  /** A new subfolder gets its name, and thereby its path, when it is complete. */
  get path(): string {
    return this.#parent === undefined ? this.#name : join(this.#parent.path, this.#name);
  }

  /** Creates the folder, unless it exists. */
  make(): void {
    makeFolders(this.path, 0o700, this.disk);
  }

  subfolder(name: string): DiskFolder {
    return writing(join(this.path, name), () => new DiskFolder(name, this.disk, this));
  }

  subfolderNames(): string[] {
    const names = this.#names(true);
    for (const name of names) if (name.startsWith(PARTIAL)) this.#removeTree(join(this.path, name));
    return names.filter((name) => !name.startsWith(PARTIAL));
  }

  fileNames(): string[] {
    return this.#names(false);
  }

  create<Result>(name: string, fill: (folder: DiskFolder) => Result): Result {
    const target = join(this.path, name);
    const draft = writing(target, () => this.disk.makeUniqueFolder(join(this.path, PARTIAL)));
    try {
      const folder = this.subfolder(basename(draft));
      const result = fill(folder);
      writing(target, () => this.disk.rename(draft, target));
      folder.#name = name;
      this.#syncNames();
      return result;
    } catch (error) {
      this.#removeTree(draft);
      throw error;
    }
  }

  read(name: string): Buffer | undefined {
    const path = join(this.path, name);
    // A crash leaves a draft.
    tryOr(undefined, () => this.disk.remove(draftOf(path)));
    return unlessMissing(undefined, () => this.disk.readFile(path));
  }

  write(name: string, content: string | Uint8Array | Iterable<Buffer>): void {
    const parts =
      typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content;
    const path = join(this.path, name);
    const draft = draftOf(path);
    writing(path, () => {
      try {
        this.#writeAll(draft, parts);
        this.disk.rename(draft, path);
      } catch (error) {
        tryOr(undefined, () => this.disk.remove(draft));
        throw error;
      }
    });
    this.#syncNames();
  }

  removeSubfolder(name: string): void {
    const path = join(this.path, name);
    const grave = join(this.path, `${PARTIAL}${name}`);
    this.#removeTree(grave);
    writing(path, () => unlessMissing(undefined, () => this.disk.rename(path, grave)));
    this.#syncNames();
    this.#removeTree(grave);
  }

  discard(name: string): void {
    tryOr(undefined, () => this.disk.remove(join(this.path, name)));
  }

  #names(isFolder: boolean): string[] {
    const entries = unlessMissing([], () => this.disk.list(this.path));
    return entries.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => name);
  }

  #writeAll(path: string, parts: Iterable<Buffer>): void {
    const descriptor = this.disk.open(path, 'write');
    let size = 0;
    try {
      this.disk.truncate(descriptor, 0);
      for (const bytes of parts) {
        writeAt(this.disk, descriptor, bytes, size);
        size += bytes.length;
      }
      this.disk.sync(descriptor);
    } finally {
      this.disk.close(descriptor);
    }
  }

  /** Windows has no such call. Elsewhere, a failure can't be undone: the names have changed for all programs. */
  #syncNames(): void {
    tryOr(undefined, () => this.disk.syncFolder(this.path));
  }

  /** What can't be removed now is removed at the next start. */
  #removeTree(path: string): void {
    tryOr(undefined, () => {
      for (const entry of this.disk.list(path)) {
        const inner = join(path, entry.name);
        if (entry.isDirectory()) this.#removeTree(inner);
        else this.disk.remove(inner);
      }
      this.disk.removeFolder(path);
    });
  }
}

function unlessMissing<Result>(fallback: Result, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  }
}

function draftOf(path: string): string {
  return `${path}.new`;
}

/** Writes bytes at a position of a file. */
export function writeAt(disk: Disk, descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += disk.write(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

/** Runs code that writes to a file. @throws DiskError if that fails. */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw error instanceof DiskError ? error : new DiskError(path, error as NodeJS.ErrnoException);
  }
}
