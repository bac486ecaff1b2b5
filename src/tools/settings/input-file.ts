import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { unreadable, usageFailure } from '../output/command-failure.ts';
import type { Setting } from '../output/setting.ts';

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

/**
 * The secret that a flag contains or names: `@` and the path of a file, or `-` for stdin.
 *
 * @param file the file, if the value is its path
 * @throws CommandFailure if the file can't be read, or the secret is empty or the name of a file.
 */
export async function secretOf(
  flag: string,
  value: string,
  file = value === '-' ? value : /^@(.+)$/s.exec(value)?.[1],
): Promise<Setting> {
  if (file === undefined && existsSync(value))
    throw usageFailure(`${flag} ${value} is a file. To read the secret from it, pass "@${value}".`);
  const origin = file === undefined ? flag : `${flag} ${value === '-' ? '- (stdin)' : value}`;
  const secret = (file === undefined ? value : await readTextFile(flag, file)).trim();
  if (secret === '') throw usageFailure(`${origin} is empty. Pass a value or omit the flag.`);
  return { value: secret, origin };
}
