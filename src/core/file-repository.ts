/** Limits of a repository for a file: larger than the defaults of the local server, to fit whole files. */
export const FILE_LIMITS = { maxEvents: 20_000_000, maxBytes: 2048 * 1024 * 1024 };

/** The name of a repository for a file: that of the file, without invalid characters. */
export function repositoryNameOf(fileName: string): string {
  return fileName.replaceAll(/^[^A-Za-z0-9_]+|[^A-Za-z0-9_ .-]+|[ .]+$/g, '').slice(0, 90) || 'file';
}
