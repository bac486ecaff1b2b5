import { writeFileSync } from 'node:fs';

/** Creates a file. Processes that try at the same time agree on who did. @returns false if it exists */
export function createsFile(path: string, content = ''): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
