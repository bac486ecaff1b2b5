import {
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
import { LogOptionsException } from '../../errors.ts';

/** One JSON value that outlives the server. Without a path it lives in memory only, and the owner need not care. */
class StateFile {
  readonly #path: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /**
   * The value that was written last; `undefined` when there is none.
   *
   * @throws Error that names the file when it is there but can't be read: starting empty would overwrite it.
   */
  read(): unknown {
    if (this.#path === undefined || !existsSync(this.#path)) return undefined;
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (cause) {
      throw new Error(
        `The state file ${this.#path} can't be read. Repair it, or move it to start without it.`,
        {
          cause,
        },
      );
    }
  }

  /**
   * Replaces the value as a whole: a crash leaves the old value or the new one, never a mixture.
   *
   * @throws DiskError when the disk refuses.
   */
  write(value: unknown): void {
    const path = this.#path;
    if (path === undefined) return;
    const temporary = `${path}.new`;
    writing(path, () => {
      // State holds tokens: only the owner reads it.
      writeFileSync(temporary, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(temporary, path);
    });
  }
}

/** A folder for state files; without a path everything that is kept in it lives in memory only. */
export class StateFolder {
  readonly path: string | undefined;

  /** @throws LogOptionsException when the path is no folder and can't become one. */
  constructor(path: string | undefined) {
    this.path = path;
    if (path !== undefined) makeFolder(path);
  }

  /** @param name a file name of our own choosing, such as `users.json`; never a name that came over the wire. */
  file(name: string): StateFile {
    return new StateFile(this.path === undefined ? undefined : join(this.path, name));
  }

  /** @param name as for {@link file}, or a checked repository name. */
  subfolder(name: string): StateFolder {
    return new StateFolder(this.path === undefined ? undefined : join(this.path, name));
  }

  subfolderNames(): string[] {
    if (this.path === undefined) return [];
    return readdirSync(this.path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  }

  remove(): void {
    if (this.path !== undefined) rmSync(this.path, { recursive: true, force: true });
  }
}

function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    throw new LogOptionsException(
      `startLocalServer: the "dataDir" ${path} can't be used (${code}). It must be a writable folder, or a path where one can be created.`,
      { cause: error },
    );
  }
}

/** Node's own `recursive` never comes back from a place such as /proc, where no folder can be made. */
function makeFolders(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    makeFolders(parent);
    mkdirSync(path);
  }
}

/** The disk does not take what is to be kept: it is full, or may not be written. */
export class DiskError extends Error {
  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(
      `The local server can't write ${path} (${cause.code ?? cause.message}). Check the permissions of the folder and the free disk space.`,
      { cause },
    );
    this.name = 'DiskError';
  }
}

/** Runs what writes to a file. @throws DiskError when the disk refuses. */
export function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw new DiskError(path, error as NodeJS.ErrnoException);
  }
}
