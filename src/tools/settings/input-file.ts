import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { unreadable, usageFailure } from '../output/command-failure.ts';

/**
 * Reads a file named on the command line; `-` is stdin.
 *
 * @param what the flag or argument, for the error message.
 * @throws CommandFailure
 */
export async function readInputFile(what: string, file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw usageFailure(unreadable(`${what} ${file}`, error));
  }
}

/** The same, decoded as UTF-8. */
export async function readTextFile(what: string, file: string): Promise<string> {
  return (await readInputFile(what, file)).toString('utf8');
}
