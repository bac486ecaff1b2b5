import {
  chmodSync,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LogOptionsException } from '../../core/errors.ts';

/** A folder for files that outlive the server. Without a path, nothing is saved, and nothing is read. */
export class StateFolder {
  readonly path: string | undefined;

  /** @throws LogOptionsException if the path is not a folder and can't be created. */
  constructor(path: string | undefined) {
    this.path = path;
    if (path !== undefined) makeFolder(path);
  }

  /** @param name a name of our own choosing or a checked repository name; never a name that came over the wire. */
  subfolder(name: string): StateFolder {
    return new StateFolder(this.#pathOf(name));
  }

  subfolderNames(): string[] {
    return this.#names((entry) => entry.isDirectory());
  }

  fileNames(): string[] {
    return this.#names((entry) => entry.isFile());
  }

  /** @param name as for {@link subfolder}. @returns `undefined` if the file does not exist */
  read(name: string): Buffer | undefined {
    const path = this.#pathOf(name);
    return path === undefined || !existsSync(path) ? undefined : readFileSync(path);
  }

  /**
   * Replaces a file as a whole: a crash leaves the old content or the new one, never a mixture.
   *
   * @throws DiskError when the disk refuses.
   */
  write(name: string, content: string | Uint8Array): void {
    const path = this.#pathOf(name);
    if (path === undefined) return;
    const temporary = `${path}.new`;
    writing(path, () => {
      // State contains tokens: only the owner may read it.
      writeFileSync(temporary, content, { mode: 0o600 });
      renameSync(temporary, path);
    });
  }

  /** @throws Error that names the file when it is there but can't be read: starting empty would overwrite it. */
  readJson(name: string): unknown {
    try {
      const content = this.read(name);
      return content === undefined ? undefined : JSON.parse(content.toString());
    } catch (cause) {
      const message = `The state file ${this.#pathOf(name)} can't be read. Repair it, or move it to start without it.`;
      throw new Error(message, { cause });
    }
  }

  /** {@link write} for a JSON value. */
  writeJson(name: string, value: unknown): void {
    this.write(name, `${JSON.stringify(value, undefined, 2)}\n`);
  }

  /** Removes a file or subfolder, if it exists. */
  remove(name: string): void {
    const path = this.#pathOf(name);
    if (path !== undefined) rmSync(path, { recursive: true, force: true });
  }

  #pathOf(name: string): string | undefined {
    return this.path === undefined ? undefined : join(this.path, name);
  }

  #names(isWanted: (entry: Dirent) => boolean): string[] {
    if (this.path === undefined) return [];
    return readdirSync(this.path, { withFileTypes: true })
      .filter(isWanted)
      .map(({ name }) => name);
  }
}

function makeFolder(path: string): void {
  try {
    makeFolders(path);
    makePrivate(path, 0o700);
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    throw new LogOptionsException(
      `startLocalServer: the "dataDir" ${path} can't be used (${code}). It must be a writable folder, or a path where one can be created.`,
      { cause: error },
    );
  }
}

const PRIVATE_FOLDER = { mode: 0o700 };

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

/** Node's own `recursive` hangs for paths such as /proc, where folders can't be created. */
function makeFolders(path: string): void {
  try {
    mkdirSync(path, PRIVATE_FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolders(parent);
    mkdirSync(path, PRIVATE_FOLDER);
  }
}

/** Writing to the disk failed: it is full or read-only. */
export class DiskError extends Error {
  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(
      `The local server can't write ${path} (${cause.code ?? cause.message}). Check the permissions of the folder and the free disk space.`,
      { cause },
    );
    this.name = 'DiskError';
  }
}

/** Runs code that writes to a file. @throws DiskError if that fails. */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw new DiskError(path, error as NodeJS.ErrnoException);
  }
}
