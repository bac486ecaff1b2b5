import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { EventBatch } from '../store/event-batch.ts';
import type { StoredEvents } from '../store/event-store.ts';
import { linesOf, type ReadRequest, readLines } from '../store/log-lines.ts';
import { makePrivate, writing } from './disk-folder.ts';

/** Files are read completely at startup. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

export interface EventLogOptions {
  readonly folder: string;
  /** The limits of the store: a file is deleted once the newer files fill the store. */
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly readRequest: ReadRequest;
  readonly onWarning: (message: string) => void;
}

interface LogFile {
  readonly path: string;
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
 */
export class EventLog implements StoredEvents {
  readonly #options: EventLogOptions;
  readonly #files: LogFile[] = [];
  /** Of the newest file; `undefined` before the first append and after close. */
  #descriptor: number | undefined;
  #closed = false;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** Reads the events of earlier runs, file by file. Truncates an incomplete last line and skips damaged lines. */
  replay(insert: (batch: EventBatch) => void): void {
    const names = readdirSync(this.#options.folder).filter((name) => /^\d{8}\.ndjson$/.test(name));
    for (const name of names.sort()) {
      const path = join(this.#options.folder, name);
      makePrivate(path, 0o600);
      const content = readFileSync(path);
      const end = content.lastIndexOf(NEWLINE) + 1;
      if (end < content.length) this.#cutTail(path, end, content.length);
      const { batches, damaged } = readLines(content.subarray(0, end), this.#options.readRequest);
      if (damaged > 0) this.#options.onWarning(`${path}: skipped ${damaged} damaged ${lines(damaged)}.`);
      this.#files.push({
        path,
        number: Number.parseInt(name, 10),
        events: batches.reduce((sum, { length }) => sum + length, 0),
        bytes: end,
        newest: Math.max(...batches.map(newestOf)),
      });
      for (const batch of batches) insert(batch);
    }
  }

  /** @throws DiskError if writing fails, for example because the disk is full; then no event is in the log. */
  append(batch: EventBatch): void {
    if (this.#closed) throw new Error('The event log is closed.');
    const file = this.#fileWithRoom();
    const bytes = Buffer.from(linesOf(batch));
    writing(file.path, () => this.#write(file, bytes));
    file.bytes += bytes.length;
    file.events += batch.length;
    file.newest = Math.max(file.newest, newestOf(batch));
  }

  /** Deletes the files that only contain events before `timestamp`, epoch milliseconds. */
  dropBefore(timestamp: number): void {
    const dropped = this.#files.filter(({ newest }) => newest < timestamp);
    if (dropped.includes(this.#files.at(-1)!)) this.#closeFile();
    for (const file of dropped) {
      rmSync(file.path, { force: true });
      this.#files.splice(this.#files.indexOf(file), 1);
    }
  }

  close(): void {
    this.#closed = true;
    this.#closeFile();
  }

  #write({ path, bytes: before }: LogFile, bytes: Buffer): void {
    this.#descriptor ??= openSync(path, 'a', 0o600);
    const descriptor = this.#descriptor;
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      ftruncateSync(descriptor, before);
      throw error;
    }
  }

  #cutTail(path: string, end: number, length: number): void {
    truncateSync(path, end);
    this.#options.onWarning(`${path}: cut off ${length - end} bytes of an incomplete line.`);
  }

  #fileWithRoom(): LogFile {
    const { maxEvents, maxBytes, folder } = this.#options;
    const newest = this.#files.at(-1);
    const fileBytes = Math.min(MAX_FILE_BYTES, maxBytes / 4);
    if (newest !== undefined && newest.events < maxEvents / 4 && newest.bytes < fileBytes) return newest;
    this.#closeFile();
    const number = (newest?.number ?? 0) + 1;
    const path = join(folder, `${String(number).padStart(8, '0')}.ndjson`);
    const file: LogFile = { path, number, events: 0, bytes: 0, newest: Number.NEGATIVE_INFINITY };
    this.#files.push(file);
    this.#dropOldFiles();
    return file;
  }

  /** Deletes files beyond the limits of the store. An event is up to twice as long in its file. */
  #dropOldFiles(): void {
    const { maxEvents, maxBytes } = this.#options;
    let events = 0;
    let bytes = 0;
    let keep = this.#files.length;
    while (keep > 0 && events < maxEvents && bytes < 2 * maxBytes) {
      keep--;
      events += this.#files[keep]!.events;
      bytes += this.#files[keep]!.bytes;
    }
    for (const file of this.#files.splice(0, keep)) rmSync(file.path, { force: true });
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function newestOf(batch: EventBatch): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < batch.length; index++) newest = Math.max(newest, batch.timestampAt(index));
  return newest;
}

function lines(count: number): string {
  return count === 1 ? 'line' : 'lines';
}
