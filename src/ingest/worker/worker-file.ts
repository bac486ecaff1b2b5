import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The file of a worker's entry, which stands beside the other files of the package.
 *
 * @param moduleUrl `import.meta.url` of who asks.
 * @throws Error where a bundler has left the file behind: better known now than at the end of the process
 */
export function workerFile(name: string, moduleUrl: string | undefined): URL {
  const file = moduleUrl === undefined ? undefined : new URL(`./${name}`, moduleUrl);
  if (file?.protocol === 'file:' && existsSync(fileURLToPath(file))) return file;
  throw new Error(`the file ${name} is missing; exclude this package from the bundle or deliver in-process`);
}
