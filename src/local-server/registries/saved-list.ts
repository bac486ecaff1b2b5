import type { StateFolder } from '../store/state-file.ts';

/** A list of records that outlives the server. */
export interface SavedList<Entry> {
  /** What was kept in an earlier life; a record that lacks one of its texts is left out. */
  load(): Entry[];
  save(entries: readonly Entry[]): void;
}

/**
 * Keeps a list in one state file.
 *
 * @param texts the members that every record must have, each a string.
 */
export function savedList<Entry>(
  folder: StateFolder,
  fileName: string,
  texts: readonly (keyof Entry & string)[],
): SavedList<Entry> {
  const file = folder.file(fileName);
  return {
    load() {
      const saved = file.read();
      if (!Array.isArray(saved)) return [];
      return saved.filter((entry): entry is Entry => isRecordWith(entry, texts));
    },
    save(entries) {
      file.write(entries);
    },
  };
}

function isRecordWith(value: unknown, texts: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return texts.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}
