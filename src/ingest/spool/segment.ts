import { tryOr } from '../../core/try-or.ts';
import type { SpoolDirectory } from './spool-directory.ts';

const TEMPORARY_ERRORS = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'EBUSY'];

/** True if the file can be read later. */
export function isTemporary(error: unknown): boolean {
  return TEMPORARY_ERRORS.includes((error as NodeJS.ErrnoException).code ?? '');
}

export const EMPTY = { from: 0, size: 0, records: 0, eventBytes: 0 };

/** A spool file. Lines are only appended, until the segment is sealed. */
export class Segment {
  readonly directory: SpoolDirectory;
  readonly number: number;
  /** Start of the unsettled lines. */
  readonly from: number;
  /** End of the last complete line. */
  size: number;
  /** Number of unread records. */
  records: number;
  /** Total size of their events, in bytes. */
  eventBytes: number;
  isSealed: boolean;
  /** True if another process has written it. */
  readonly isAdopted: boolean;
  descriptor: number | undefined;
  /** Position in the queue. */
  order = 0;

  /** @param descriptor for appending and reading; without one the segment is sealed. */
  constructor(directory: SpoolDirectory, number: number, content: typeof EMPTY, descriptor?: number) {
    this.directory = directory;
    this.number = number;
    this.from = content.from;
    this.size = content.size;
    this.records = content.records;
    this.eventBytes = content.eventBytes;
    this.isSealed = this.isAdopted = descriptor === undefined;
    this.descriptor = descriptor;
  }

  get path(): string {
    return this.directory.segmentPath(this.number);
  }

  /** Reads into a buffer. @throws Error of the file system */
  read(into: Buffer, offset: number): number {
    const { disk } = this.directory;
    this.descriptor ??= disk.open(this.path, 'read');
    return disk.read(this.descriptor, into, 0, into.length, offset);
  }

  /** Removes the bytes behind an offset. If it fails, they are sent after a restart. */
  cut(offset: number): void {
    const { disk } = this.directory;
    tryOr(undefined, () => {
      const descriptor = disk.open(this.path, 'update');
      try {
        disk.truncate(descriptor, offset);
        this.size = offset;
      } finally {
        disk.close(descriptor);
      }
    });
  }

  /** Returns the descriptor, which the caller must close. Reading opens another one. */
  detach(): number | undefined {
    const descriptor = this.descriptor;
    this.descriptor = undefined;
    return descriptor;
  }

  /** Closes a sealed file until it is read again. */
  release(): void {
    if (!this.isSealed) return;
    const descriptor = this.detach();
    // Its bytes are already written or read.
    if (descriptor !== undefined) tryOr(undefined, () => this.directory.disk.close(descriptor));
  }

  /** Renames an unreadable file, so that no process reads it again. @returns its new path. */
  setAside(): string {
    const aside = `${this.path}.unreadable`;
    return tryOr(this.path, () => this.directory.disk.rename(this.path, aside) ?? aside);
  }
}
