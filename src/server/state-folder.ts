/** A folder for files that outlive the server. */
export interface StateFolder {
  /** `undefined` if nothing is saved. */
  readonly path: string | undefined;
  /** @param name a name of our own choosing or a checked repository name; never a name that came over the wire. */
  subfolder(name: string): StateFolder;
  subfolderNames(): string[];
  fileNames(): string[];
  /** @param name as for {@link subfolder}. @returns `undefined` if the file does not exist */
  read(name: string): Uint8Array | undefined;
  /**
   * Replaces a file as a whole: a crash leaves the old content or the new one, never a mixture.
   *
   * @throws DiskError when the disk refuses.
   */
  write(name: string, content: string | Uint8Array): void;
  /** @throws Error that names the file when it is there but can't be read: starting empty would overwrite it. */
  readJson(name: string): unknown;
  /** {@link write} for a JSON value. */
  writeJson(name: string, value: unknown): void;
  /** Removes a file or subfolder, if it exists. */
  remove(name: string): void;
}

/** The folder of a server without a `dataDir`: nothing is saved, and nothing is read. */
export const noFolder: StateFolder = {
  path: undefined,
  subfolder: () => noFolder,
  subfolderNames: () => [],
  fileNames: () => [],
  read: () => undefined,
  write: () => {},
  readJson: () => undefined,
  writeJson: () => {},
  remove: () => {},
};

/** Writing to the disk failed: it is full or read-only. */
export class DiskError extends Error {
  constructor(path: string, cause: Error & { readonly code?: string }) {
    super(
      `The local server can't write ${path} (${cause.code ?? cause.message}). Check the permissions of the folder and the free disk space.`,
      { cause },
    );
    this.name = 'DiskError';
  }
}
