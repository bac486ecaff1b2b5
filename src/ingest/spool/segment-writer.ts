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

/** Appends lines to the end of a queue, in segments of similar size. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #directory: SpoolDirectory;
  #nextNumber = 1;
  /** The segment that grows. */
  #open: Segment | undefined;

  constructor(directory: SpoolDirectory, options: SegmentWriterOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  /**
   * Appends all lines or none. They survive a crash of the process when this returns.
   *
   * @throws Error of the file system
   */
  append(lines: LineWriter): void {
    const size = this.#open?.size ?? 0;
    if (size > 0 && size + lines.bytes.length > this.#options.segmentBytes) this.seal();
    const isFresh = this.#open === undefined || this.#open.size === 0;
    try {
      this.#appendOnce(lines);
    } catch (error) {
      if (isFresh) throw error;
      // The failure may only affect this file.
      this.seal();
      this.#appendOnce(lines);
    }
  }

  /**
   * Completes the current segment; later lines are written to a new one.
   *
   * @param isRemoved true if the directory was removed. Written records can still be read through the open file.
   */
  seal(isRemoved = false): void {
    const segment = this.#open;
    if (segment === undefined) return;
    this.#open = undefined;
    segment.isSealed = true;
    if (isRemoved) this.#options.sync.forget(segment.descriptor!);
    else this.#options.sync.retire(segment.detach()!);
  }

  /** @throws Error of the file system */
  #appendOnce({ bytes, records, eventBytes }: LineWriter): void {
    const { queue, sync } = this.#options;
    this.#open ??= this.#create();
    const segment = this.#open;
    const descriptor = segment.descriptor!;
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

  #create(): Segment {
    const number = this.#nextNumber++;
    const descriptor = openSync(this.#directory.segmentPath(number), 'ax+', 0o600);
    const content = { from: 0, size: 0, records: 0, eventBytes: 0 };
    const segment = new Segment(this.#directory, number, content, descriptor);
    this.#options.queue.add(segment);
    this.#options.sync.created(this.#directory.path);
    return segment;
  }

  /** Removes a partial write. */
  #undo(segment: Segment, descriptor: number): void {
    try {
      ftruncateSync(descriptor, segment.size);
    } catch {
      // An incomplete line is detected as long as nothing follows it.
      this.seal();
    }
  }
}
