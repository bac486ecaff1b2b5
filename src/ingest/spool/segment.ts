import { closeSync, openSync, readSync, renameSync } from 'node:fs';
import type { SpoolDirectory } from './spool-directory.ts';

export interface SegmentContent {
  /** Where reading begins. */
  readonly from: number;
  /** Where the last whole line ends. */
  readonly size: number;
  /** The records in between. */
  readonly records: number;
  /** The bytes of their events. */
  readonly eventBytes: number;
}

/** One file of lines. It only ever grows, and only while it has a descriptor to append with. */
export class Segment {
  readonly directory: SpoolDirectory;
  readonly number: number;
  readonly from: number;
  size: number;
  /** Records that nobody has read yet. */
  records: number;
  /** The bytes of their events. */
  eventBytes: number;
  isSealed: boolean;
  #descriptor: number | undefined;

  /** @param descriptor for appending and reading; without one the segment is sealed. */
  constructor(directory: SpoolDirectory, number: number, content: SegmentContent, descriptor?: number) {
    this.directory = directory;
    this.number = number;
    this.from = content.from;
    this.size = content.size;
    this.records = content.records;
    this.eventBytes = content.eventBytes;
    this.isSealed = descriptor === undefined;
    this.#descriptor = descriptor;
  }

  get path(): string {
    return this.directory.segmentPath(this.number);
  }

  /** Reads into a buffer. @throws Error of the file system */
  read(into: Buffer, offset: number): number {
    this.#descriptor ??= openSync(this.path, 'r');
    return readSync(this.#descriptor, into, 0, into.length, offset);
  }

  /** Gives the descriptor away. Reading opens another one. */
  detach(): number | undefined {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    return descriptor;
  }

  /** Nobody reads it at the moment. */
  release(): void {
    if (!this.isSealed) return;
    const descriptor = this.detach();
    if (descriptor !== undefined) closeSync(descriptor);
  }

  /** Lets people see it, and nobody else try it again. @returns where it is now. */
  setAside(): string {
    const aside = `${this.path}.unreadable`;
    try {
      renameSync(this.path, aside);
      return aside;
    } catch {
      return this.path;
    }
  }
}
