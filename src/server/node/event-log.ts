import { join } from 'node:path';
import { countText } from '../../core/count-text.ts';
import { tryOr } from '../../core/try-or.ts';
import type { EventBatch } from '../store/event-batch.ts';
import type { StoredEvents } from '../store/event-store.ts';
import { eventsIn, type LoggedEvents, linesOf, type ReadRequest, readLines } from '../store/log-lines.ts';
import { type DiskFolder, writeAt, writing } from './disk-folder.ts';

/** Files are read completely at startup. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Beyond this many times the limits of the store, files are rewritten without the events that it has evicted. */
const MAX_EXCESS = 2;
/** An event is up to twice as long in its file. */
const MAX_EXCESS_BYTES = 3;
const NEWLINE = 10;
const PART = '.ndjson';
/** A file that replaces all before it. */
const WHOLE = '.whole.ndjson';

export interface EventLogOptions {
  readonly folder: DiskFolder;
  /** The limits of the store. */
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly readRequest: ReadRequest;
  readonly onWarning: (message: string) => void;
}

interface LogFile {
  readonly name: string;
  readonly number: number;
  events: number;
  bytes: number;
  /** Time of its newest event, epoch milliseconds. */
  newest: number;
}

/**
 * Events on disk, as lines of JSON in order of arrival, in numbered append-only files.
 *
 * Lines are written to the operating system before `append` returns, so they survive a crash of the process, but not a
 * loss of power: an fsync per request is too slow for a development server.
 *
 * The files have all events that the store keeps, and more: only the store decides which events are kept, so that the next
 * process, which reads the files, keeps the same.
 */
export class EventLog implements StoredEvents {
  readonly #options: EventLogOptions;
  #files: LogFile[] = [];
  /** After a failure, rewriting is tried again at this number of events. */
  #rewriteAt = 0;
  /** Of the newest file; `undefined` before the first append and after close. */
  #descriptor: number | undefined;
  /** Whether a failed write may have left bytes at the end of the newest file. */
  #isTorn = false;
  #closed = false;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** Reads the events of earlier runs, file by file. Truncates an incomplete last line and skips damaged lines. */
  replay(insert: (batch: EventBatch) => void): void {
    const { folder, onWarning } = this.#options;
    const names = folder.fileNames().filter((name) => /^\d{8}(\.whole)?\.ndjson$/.test(name));
    const first = Math.max(
      0,
      names.sort().findLastIndex((name) => name.endsWith(WHOLE)),
    );
    for (const name of names.slice(0, first)) folder.discard(name);
    for (const name of names.slice(first)) {
      folder.disk.makePrivate(this.#pathOf({ name }), 0o600);
      const { batches, bytes, damaged, tail } = this.#read(name);
      if (tail.length > 0) this.#cutTail(name, bytes, tail);
      if (damaged.length > 0)
        onWarning(
          `${this.#pathOf({ name })}: skipped ${countText(damaged.length, 'damaged line')} with ${eventsIn(damaged)}.`,
        );
      const events = batches.reduce((sum, { length }) => sum + length, 0);
      const newest = Math.max(...batches.map(newestOf));
      this.#files.push({ name, number: Number.parseInt(name, 10), events, bytes, newest });
      for (const batch of batches) insert(batch);
    }
  }

  /** @throws DiskError if writing fails, for example because the disk is full; then no event is in the log. */
  append(batch: EventBatch): void {
    if (this.#closed) throw new Error('The event log is closed.');
    const file = this.#fileWithRoom();
    const bytes = Buffer.from(linesOf(batch));
    writing(this.#pathOf(file), () => this.#write(file, bytes));
    count(file, batch, bytes);
  }

  /**
   * Frees space after events before `oldest`, epoch milliseconds, have left the store. What can't be deleted now is deleted
   * later.
   *
   * @param kept returns the events of the store
   */
  dropBefore(oldest: number, kept: () => Iterable<EventBatch>): void {
    for (const file of [...this.#files]) if (file.newest < oldest) this.#delete(file);
    const events = this.#files.reduce((sum, file) => sum + file.events, 0);
    if (events < this.#rewriteAt || !this.#isExcessive(events)) return;
    const { maxEvents } = this.#options;
    const isDone = tryOr(false, () => this.replaceAll(kept()));
    this.#rewriteAt = isDone ? 0 : events + maxEvents / 4;
  }

  /** Replaces all files by one with these events: a crash leaves either. @throws DiskError if that fails */
  replaceAll(batches: Iterable<EventBatch>): true {
    this.rest();
    const file = newFile((this.#files.at(-1)?.number ?? 0) + 1, WHOLE);
    this.#options.folder.write(file.name, partsOf(batches, file));
    const replaced = this.#files;
    this.#files = [...replaced, file];
    for (const other of replaced) this.#delete(other);
    return true;
  }

  /** Closes its file until the next append. */
  rest(): void {
    if (this.#descriptor === undefined) return;
    this.#options.folder.disk.close(this.#descriptor);
    this.#descriptor = undefined;
  }

  close(): void {
    this.#closed = true;
    this.rest();
  }

  #pathOf({ name }: { readonly name: string }): string {
    return join(this.#options.folder.path, name);
  }

  #read(name: string): LoggedEvents & { readonly bytes: number; readonly tail: Buffer } {
    const content = this.#options.folder.disk.readFile(this.#pathOf({ name }));
    const bytes = content.lastIndexOf(NEWLINE) + 1;
    const read = readLines(content.subarray(0, bytes), this.#options.readRequest);
    return { ...read, bytes, tail: content.subarray(bytes) };
  }

  #write({ name, bytes: before }: LogFile, bytes: Buffer): void {
    const { disk } = this.#options.folder;
    this.#descriptor ??= disk.open(this.#pathOf({ name }), 'write');
    const descriptor = this.#descriptor;
    if (this.#isTorn) disk.truncate(descriptor, before);
    this.#isTorn = true;
    try {
      writeAt(disk, descriptor, bytes, before);
    } catch (error) {
      // If that fails, too, it precedes the next write.
      this.#isTorn = tryOr(true, () => disk.truncate(descriptor, before)) === true;
      throw error;
    }
    this.#isTorn = false;
  }

  #cutTail(name: string, end: number, tail: Buffer): void {
    const { folder, onWarning } = this.#options;
    const path = this.#pathOf({ name });
    const descriptor = folder.disk.open(path, 'update');
    try {
      folder.disk.truncate(descriptor, end);
    } finally {
      folder.disk.close(descriptor);
    }
    const events = eventsIn([tail.toString()]);
    onWarning(`${path}: cut off ${tail.length} bytes of an incomplete line with ${events}.`);
  }

  #fileWithRoom(): LogFile {
    const { maxEvents, maxBytes, folder } = this.#options;
    const newest = this.#files.at(-1);
    const fileBytes = Math.min(MAX_FILE_BYTES, maxBytes / 4);
    if (newest !== undefined && newest.events < maxEvents / 4 && newest.bytes < fileBytes) return newest;
    const file = newFile((newest?.number ?? 0) + 1, PART);
    writing(this.#pathOf(file), () => folder.make());
    this.rest();
    this.#files.push(file);
    return file;
  }

  /** A file that can't be deleted stays in the list. */
  #delete(file: LogFile): void {
    if (file === this.#files.at(-1)) this.rest();
    tryOr(undefined, () => {
      this.#options.folder.disk.remove(this.#pathOf(file));
      this.#files = this.#files.filter((other) => other !== file);
    });
  }

  #isExcessive(events: number): boolean {
    const { maxEvents, maxBytes } = this.#options;
    const bytes = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    return events > MAX_EXCESS * maxEvents || bytes > MAX_EXCESS_BYTES * maxBytes;
  }
}

function newFile(number: number, extension: string): LogFile {
  const name = `${String(number).padStart(8, '0')}${extension}`;
  return { name, number, events: 0, bytes: 0, newest: Number.NEGATIVE_INFINITY };
}

function count(file: LogFile, batch: EventBatch, { length }: Buffer): void {
  file.bytes += length;
  file.events += batch.length;
  file.newest = Math.max(file.newest, newestOf(batch));
}

/** Events as lines. Counts them in `file`. */
function* partsOf(batches: Iterable<EventBatch>, file: LogFile): Generator<Buffer> {
  for (const batch of batches) {
    const bytes = Buffer.from(linesOf(batch));
    count(file, batch, bytes);
    yield bytes;
  }
}

function newestOf(batch: EventBatch): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < batch.length; index++) newest = Math.max(newest, batch.timestampAt(index));
  return newest;
}
