import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { CommandFailure } from './command-failure.ts';

/** Writes a file that the user asked for, and creates its folder. @throws CommandFailure that names the path */
export async function writeOutputFile(path: string, content: string | Uint8Array): Promise<void> {
  try {
    makeFolders(dirname(path));
    await writeFile(path, content);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

export function writeFailure(path: string, error: unknown): CommandFailure {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return new CommandFailure(`can't write ${path} (${code}).`);
}
