import { usageFailure } from '../output/command-failure.ts';
import type { Setting } from '../output/setting.ts';
import { readTextFile } from './input-file.ts';

/**
 * The secret that a flag contains or names: `@` and the path of a file, or `-` for stdin.
 *
 * @throws CommandFailure if the file can't be read or the secret is empty.
 */
export async function secretOf(flag: string, value: string): Promise<Setting> {
  const file = value === '-' ? value : /^@(.+)$/s.exec(value)?.[1];
  const [secret, origin] =
    file === undefined
      ? [value, flag]
      : [await readTextFile(flag, file), `${flag} ${value === '-' ? '- (stdin)' : value}`];
  if (secret.trim() === '') throw usageFailure(`${origin} is empty. Pass a value or omit the flag.`);
  return { value: secret.trim(), origin };
}
