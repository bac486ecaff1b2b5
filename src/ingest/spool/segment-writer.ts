import { ftruncateSync, openSync, writeSync } from 'node:fs';
import type { FileSync } from './file-sync.ts';
import type { LineWriter } from './line-writer.ts';
import { Segment } from './segment.ts';
import type { SegmentQueue } from './segment-queue.ts';
import type { SpoolDirectory } from './spool-directory.ts';

export interface SegmentWriterOptions {
  readonly queue: SegmentQueue;
  readonly sync: FileSync;
  readonly segmentBytes: number;
}

/** Appends lines to the end of a queue, in segments of about the same size. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #directory: SpoolDirectory;
  #nextNumber = 1;
  #open: { readonly segment: Segment; readonly descriptor: number } | undefined;

  constructor(directory: SpoolDirectory, options: SegmentWriterOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  /**
   * Appends all the lines or none. They survive the death of the process when this returns.
   *
   * @throws Error of the file system
   */
  append(lines: LineWriter): void {
    const size = this.#open?.segment.size ?? 0;
    if (size > 0 && size + lines.bytes.length > this.#options.segmentBytes) this.seal();
    const isFresh = this.#open === undefined || this.#open.segment.size === 0;
    try {
      this.#appendOnce(lines);
    } catch (error) {
      if (isFresh) throw error;
      // It may be this one file that takes no more.
      this.seal();
      this.#appendOnce(lines);
    }
  }

  /** Ends the present segment; the next lines begin another one. */
  seal(): void {
    if (this.#open === undefined) return;
    const { segment } = this.#open;
    this.#open = undefined;
    segment.isSealed = true;
    this.#options.sync.retire(segment.detach()!);
  }

  /** The directory is gone. What was written can still be read through the open file. */
  abandon(): void {
    if (this.#open === undefined) return;
    const { segment, descriptor } = this.#open;
    this.#open = undefined;
    segment.isSealed = true;
    this.#options.sync.forget(descriptor);
  }

  /** @throws Error of the file system */
  #appendOnce({ bytes, records, eventBytes }: LineWriter): void {
    const { queue, sync } = this.#options;
    this.#open ??= this.#begin();
    const { segment, descriptor } = this.#open;
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written);
      }
      sync.touched(descriptor);
    } catch (error) {
      this.#undo(segment, descriptor);
      throw error;
    }
    queue.grown(segment, bytes.length, records, eventBytes);
  }

  #begin(): { segment: Segment; descriptor: number } {
    const number = this.#nextNumber++;
    const descriptor = openSync(this.#directory.segmentPath(number), 'ax+', 0o600);
    const content = { from: 0, size: 0, records: 0, eventBytes: 0 };
    const segment = new Segment(this.#directory, number, content, descriptor);
    this.#options.queue.add(segment);
    this.#options.sync.made(this.#directory.path);
    return { segment, descriptor };
  }

  /** Takes back what was written in part. */
  #undo(segment: Segment, descriptor: number): void {
    try {
      ftruncateSync(descriptor, segment.size);
    } catch {
      // What is left behind the last whole line is known to be no record, as long as nothing comes after it.
      this.seal();
    }
  }
}
