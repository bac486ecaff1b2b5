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

/** A JSON value that survives restarts. Without a path, it is only kept in memory. */
class StateFile {
  readonly #path: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /**
   * The last written value; `undefined` if there is none.
   *
   * @throws Error that names the file if it can't be read: starting empty would overwrite it.
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
   * Replaces the value atomically: a crash leaves the old or the new one.
   *
   * @throws DiskError if writing fails.
   */
  write(value: unknown): void {
    const path = this.#path;
    if (path === undefined) return;
    const temporary = `${path}.new`;
    writing(path, () => {
      // State contains tokens: only the owner may read it.
      writeFileSync(temporary, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(temporary, path);
    });
  }
}

/** A folder of state files; without a path, everything is only kept in memory. */
export class StateFolder {
  readonly path: string | undefined;

  /** @throws LogOptionsException if the path is not a folder and can't be created. */
  constructor(path: string | undefined) {
    this.path = path;
    if (path !== undefined) makeFolder(path);
  }

  /** @param name a fixed file name such as `users.json`; never a name from a request. */
  file(name: string): StateFile {
    return new StateFile(this.path === undefined ? undefined : join(this.path, name));
  }

  /** @param name like that of {@link file}, or a validated repository name. */
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

/** Node's own `recursive` hangs for paths such as /proc, where folders can't be created. */
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
