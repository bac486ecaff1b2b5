import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceId } from '../registries/resource-id.ts';
import { type StateFolder, writing } from '../store/state-file.ts';

export interface LookupFileStorage {
  read(id: string): Uint8Array | undefined;
  /**
   * Every version of a file gets its own ID: the old one exists until the list of files names the new one.
   *
   * @throws DiskError if writing fails.
   */
  write(content: Uint8Array): string;
  remove(id: string): void;
  /** Deletes files that no list names, left over from a crash. */
  keepOnly(ids: ReadonlySet<string>): void;
}

export function openLookupFileStorage(folder: StateFolder): LookupFileStorage {
  const { path } = folder;
  if (path === undefined) {
    return { read: () => undefined, write: () => resourceId(), remove: () => {}, keepOnly: () => {} };
  }
  return {
    read(id) {
      // The IDs are from a file that may have been edited: they must not lead out of the folder.
      const file = join(path, id);
      return /^[A-Za-z0-9]+$/.test(id) && existsSync(file) ? readFileSync(file) : undefined;
    },
    write(content) {
      const id = resourceId();
      const file = join(path, id);
      const temporary = `${file}.new`;
      writing(file, () => {
        writeFileSync(temporary, content, { mode: 0o600 });
        renameSync(temporary, file);
      });
      return id;
    },
    remove(id) {
      rmSync(join(path, id), { force: true });
    },
    keepOnly(ids) {
      for (const name of readdirSync(path)) if (!ids.has(name)) rmSync(join(path, name), { force: true });
    },
  };
}
