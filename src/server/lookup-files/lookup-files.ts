import { finish, hashing } from '../../engine/index.ts';
import type { ServerClock } from '../clock.ts';
import { runInSlices } from '../event-loop.ts';
import { Registry, type RegistryOptions, taken } from '../registries/registry.ts';
import { invalid, missing, tooLarge } from '../registries/resource-error.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { StateFolder } from '../state-folder.ts';
import { printCsv } from './csv-table.ts';
import { editTable, type LookupEdit, requireCount } from './lookup-edit.ts';
import { lookupFormat, readTable } from './lookup-format.ts';
import type { LookupTable } from './lookup-table.ts';

/** Maximum size of a lookup file, in bytes. */
export const MAX_LOOKUP_FILE_BYTES = 104_857_600;
/** Maximum total size of a repository's lookup files, in bytes: they are kept in memory. */
const MAX_REPOSITORY_BYTES = 4 * MAX_LOOKUP_FILE_BYTES;

interface SavedLookupFile {
  /** ID of the stored content. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly modifiedAt: string;
}

export interface LookupFile extends SavedLookupFile {
  readonly content: Uint8Array;
  readonly table: LookupTable;
  /** SHA-256 of the content, in hex. */
  readonly contentHash: string;
}

export interface LookupWindowOptions {
  /** Rows to skip. Default 0. */
  offset?: number | null | undefined;
  /** Rows to return. Default: all. */
  limit?: number | null | undefined;
  /** Only rows with a cell that contains this, ignoring case. */
  filterString?: string | null | undefined;
}

export interface LookupWindow extends LookupWindowOptions {
  readonly name: string;
  readonly headers: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** Number of rows in the file, without the header, before filtering. */
  readonly totalLinesCount: number;
}

/**
 * The lookup files of one repository. Methods throw {@link ResourceError} for names that don't exist or are invalid.
 */
export class LookupFiles {
  readonly #byName = new Map<string, LookupFile>();
  readonly #clock: ServerClock;
  readonly #saved: Registry<SavedLookupFile>;
  /** Contents by ID. Every version has its own: the old one exists until the list of files names the new one. */
  readonly #contents: StateFolder;

  constructor({ clock, folder }: RegistryOptions) {
    this.#clock = clock;
    const texts = ['name', 'id', 'createdAt', 'modifiedAt'] as const;
    this.#saved = new Registry(folder, {
      noun: 'lookup file',
      file: 'lookup-files.json',
      texts,
      max: 10_000,
    });
    this.#contents = folder.subfolder('lookup-files');
    const saved = this.#saved.list();
    for (const entry of saved) this.#byName.set(entry.name, this.#load(entry, folder));
    const ids = new Set(saved.map(({ id }) => id));
    // A crash leaves contents that no list names.
    for (const name of this.#contents.fileNames()) if (!ids.has(name)) this.#contents.discard(name);
  }

  #load(entry: SavedLookupFile, folder: StateFolder): LookupFile {
    try {
      // The list may have been edited: an ID must not lead out of the folder.
      const content = /^[A-Za-z0-9]+$/.test(entry.id) ? this.#contents.read(entry.id) : undefined;
      if (content === undefined) throw new Error('It is missing.');
      return lookupFile(entry, content, finish(readTable(lookupFormat(entry.name), content)));
    } catch (cause) {
      const place = `The lookup file ${quoted(entry.name)} (${this.#contents.path}/${entry.id}) can't be read.`;
      const advice = `Repair it, or remove its entry from ${folder.path}/lookup-files.json.`;
      throw new Error(`${place} ${(cause as Error).message} ${advice}`, { cause });
    }
  }

  list(): LookupFile[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): LookupFile | undefined {
    return this.#byName.get(name);
  }

  async put(name: string, content: Uint8Array): Promise<LookupFile> {
    const format = lookupFormat(name);
    checkSize(content.byteLength);
    const table = await runInSlices(readTable(format, content));
    return this.#store(name, content, table);
  }

  create(name: string): LookupFile {
    const format = lookupFormat(name);
    if (this.#byName.has(name)) throw taken(`The file ${quoted(name)} already exists.`, 'fileName');
    const content = Buffer.from(format === 'csv' ? '' : '[]');
    return this.#store(name, content, { headers: [], rows: [] });
  }

  remove(name: string): void {
    const file = this.require(name);
    this.#saved.remove(name);
    this.#byName.delete(name);
    this.#contents.discard(file.id);
  }

  window(name: string, { offset, limit, filterString }: LookupWindowOptions = {}): LookupWindow {
    const { headers, rows } = this.#requireCsv(name).table;
    requireCount('offset', offset);
    requireCount('limit', limit);
    const needle = filterString?.toLowerCase() ?? '';
    const matching =
      needle === '' ? rows : rows.filter((row) => row.some((cell) => cell.toLowerCase().includes(needle)));
    const start = offset ?? 0;
    const lines = matching.slice(start, limit == null ? undefined : start + limit);
    return { name, headers, lines, totalLinesCount: rows.length, offset, limit, filterString };
  }

  update(name: string, edit: LookupEdit): LookupWindow {
    const table = editTable(this.#requireCsv(name).table, edit);
    const content = Buffer.from(printCsv(table));
    checkSize(content.byteLength);
    this.#store(name, content, table);
    return this.window(name, { offset: edit.offset, limit: edit.limit });
  }

  #store(name: string, content: Uint8Array, table: LookupTable): LookupFile {
    const previous = this.#byName.get(name);
    this.#checkBytes(content.byteLength - (previous?.content.byteLength ?? 0));
    const now = new Date(this.#clock.now()).toISOString();
    const id = resourceId();
    this.#contents.write(id, content);
    const entry = { id, name, createdAt: previous?.createdAt ?? now, modifiedAt: now };
    const file = lookupFile(entry, content, table);
    try {
      this.#saved.put(entry);
    } catch (error) {
      this.#contents.discard(id);
      throw error;
    }
    this.#byName.set(name, file);
    if (previous !== undefined) this.#contents.discard(previous.id);
    return file;
  }

  #checkBytes(added: number): void {
    let bytes = added;
    for (const { content } of this.#byName.values()) bytes += content.byteLength;
    if (bytes <= MAX_REPOSITORY_BYTES) return;
    const message = `The lookup files of a repository can have at most ${MAX_REPOSITORY_BYTES} bytes in total. Delete some first.`;
    throw tooLarge(message);
  }

  /** @throws ResourceError if there is no such file */
  require(name: string): LookupFile {
    const file = this.#byName.get(name);
    if (file !== undefined) return file;
    throw missing(`There is no file ${quoted(name)}.`, 'fileName');
  }

  #requireCsv(name: string): LookupFile {
    const file = this.require(name);
    if (lookupFormat(name) === 'csv') return file;
    const message = 'Only CSV files can be viewed and edited by rows; download the file instead.';
    throw invalid(message, 'fileName');
  }
}

function lookupFile(entry: SavedLookupFile, content: Uint8Array, table: LookupTable): LookupFile {
  return {
    ...entry,
    content,
    table,
    contentHash: hashing().createHash('sha256').update(content).digest('hex'),
  };
}

function checkSize(bytes: number): void {
  if (bytes <= MAX_LOOKUP_FILE_BYTES) return;
  throw tooLarge(`A lookup file can have at most ${MAX_LOOKUP_FILE_BYTES} bytes; this one has ${bytes}.`);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
