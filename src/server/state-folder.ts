/** A folder for files that outlive the server. */
export interface StateFolder {
  /** `undefined` if nothing is saved. */
  readonly path: string | undefined;
  /** @param name a name of our own choosing or a checked repository name; never a name that came over the wire. */
  subfolder(name: string): StateFolder;
  /** Removes what was left of subfolders that were being created or removed in a crash. */
  subfolderNames(): string[];
  fileNames(): string[];
  /**
   * Creates a subfolder with its content. A failure or a crash before the end leaves nothing.
   *
   * @throws DiskError if writing fails or the name is taken, and what `fill` throws.
   */
  create<Result>(name: string, fill: (folder: StateFolder) => Result): Result;
  /** @param name as for {@link subfolder}. @returns `undefined` if the file does not exist */
  read(name: string): Uint8Array | undefined;
  /**
   * Replaces a file as a whole: a failure or a crash leaves the old content or the new one, never a mixture.
   *
   * @throws DiskError when the disk refuses; then the file is unchanged.
   */
  write(name: string, content: string | Uint8Array): void;
  /** Removes a subfolder as a whole, if it exists. @throws DiskError when the disk refuses; then it is unchanged. */
  removeSubfolder(name: string): void;
  /** Removes a file that nothing names anymore. If that fails, it stays. */
  discard(name: string): void;
}

/** The folder of a server without a `dataDir`: nothing is saved, and nothing is read. */
export const noFolder: StateFolder = {
  path: undefined,
  subfolder: () => noFolder,
  subfolderNames: () => [],
  fileNames: () => [],
  create: (_, fill) => fill(noFolder),
  read: () => undefined,
  write: () => {},
  removeSubfolder: () => {},
  discard: () => {},
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
