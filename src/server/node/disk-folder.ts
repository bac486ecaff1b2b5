import {
  chmodSync,
  type Dirent,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';
import { makeFolders } from '../../core/folders.ts';
import { DiskError, type StateFolder } from '../state-folder.ts';

/** A folder on disk, for a server with a `dataDir`. */
export class DiskFolder implements StateFolder {
  readonly path: string;

  /** @throws LogOptionsException if the path is not a folder and can't be created. */
  constructor(path: string) {
    this.path = path;
    makeFolder(path);
  }

  subfolder(name: string): StateFolder {
    return new DiskFolder(join(this.path, name));
  }

  subfolderNames(): string[] {
    return this.#names((entry) => entry.isDirectory());
  }

  fileNames(): string[] {
    return this.#names((entry) => entry.isFile());
  }

  read(name: string): Buffer | undefined {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path) : undefined;
  }

  write(name: string, content: string | Uint8Array): void {
    const path = join(this.path, name);
    const temporary = `${path}.new`;
    writing(path, () => {
      // State contains tokens: only the owner may read it.
      writeFileSync(temporary, content, { mode: 0o600 });
      renameSync(temporary, path);
    });
  }

  readJson(name: string): unknown {
    try {
      const content = this.read(name);
      return content === undefined ? undefined : JSON.parse(content.toString());
    } catch (cause) {
      const message = `The state file ${join(this.path, name)} can't be read. Repair it, or move it to start without it.`;
      throw new Error(message, { cause });
    }
  }

  writeJson(name: string, value: unknown): void {
    this.write(name, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { recursive: true, force: true });
  }

  #names(isWanted: (entry: Dirent) => boolean): string[] {
    return readdirSync(this.path, { withFileTypes: true })
      .filter(isWanted)
      .map(({ name }) => name);
  }
}

function makeFolder(path: string): void {
  try {
    makeFolders(path, 0o700);
    makePrivate(path, 0o700);
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    throw new LogOptionsException(
      `startLocalServer: the "dataDir" ${path} can't be used (${code}). It must be a writable folder, or a path where one can be created.`,
      { cause: error },
    );
  }
}

/**
 * Takes the permissions of other users away from a file or folder, which may be from an earlier version or another
 * program. Not from a folder that is meant for all users, such as /tmp, or that belongs to another user.
 */
export function makePrivate(path: string, mode: number): void {
  const { mode: present, uid } = statSync(path);
  const isForAll = (present & STICKY) !== 0;
  if ((present & 0o077) !== 0 && !isForAll && uid === process.getuid?.()) chmodSync(path, mode);
}

const STICKY = 0o1000;

/** Runs code that writes to a file. @throws DiskError if that fails. */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw new DiskError(path, error as NodeJS.ErrnoException);
  }
}
