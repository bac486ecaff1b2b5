import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { usageFailure } from './command-failure.ts';

/**
 * The bytes of a file that the user names; `-` is stdin.
 *
 * @param what the flag or argument, for the message.
 * @throws CommandFailure
 */
export async function readInputFile(what: string, file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageFailure(`${what} ${file} can't be read (${code ?? 'unknown reason'}).`);
  }
}

/** The same as text. */
export async function readTextFile(what: string, file: string): Promise<string> {
  return (await readInputFile(what, file)).toString('utf8');
}
