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
