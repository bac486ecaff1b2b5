import { isWithin } from '../../internal/clock.ts';
import type { FileSync } from './file-sync.ts';
import { makeOwnerDirectory, type OwnerDirectory } from './owner-directory.ts';
import type { SegmentQueue } from './segment-queue.ts';
import { SegmentWriter } from './segment-writer.ts';

/** How often somebody looks whether the directory is still there. */
const LOOK_INTERVAL_MS = 1_000;

export interface SpoolHomeOptions {
  /** Holds the directories of all owners with this destination. */
  readonly folder: string;
  readonly queue: SegmentQueue;
  readonly sync: FileSync;
  readonly segmentBytes: number;
  /** Told of a directory that somebody has removed. */
  readonly onRemoved: (path: string) => void;
}

interface Home {
  readonly directory: OwnerDirectory;
  readonly writer: SegmentWriter;
}

/** The directory that a spool writes into: its own, which is made when it isn't there, or not any more. */
export class SpoolHome {
  readonly #options: SpoolHomeOptions;
  #home: Home | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpoolHomeOptions) {
    this.#options = options;
  }

  /** `undefined` while there is none. */
  get path(): string | undefined {
    return this.#home?.directory.directory.path;
  }

  /** @throws Error of the file system */
  writer(nowMs: number): SegmentWriter {
    const isFresh = isWithin(LOOK_INTERVAL_MS, this.#lookedAt, nowMs);
    if (this.#home !== undefined && (isFresh || this.#home.directory.isVisible())) {
      if (!isFresh) this.#lookedAt = nowMs;
      return this.#home.writer;
    }
    if (this.#home !== undefined) this.#abandon(this.#home);
    this.#home = this.#make();
    this.#lookedAt = nowMs;
    return this.#home.writer;
  }

  /** Perhaps the directory is gone: it is looked for before the next use. */
  doubt(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Says so, if the directory is gone. */
  look(): void {
    if (this.#home?.directory.isVisible() === false) this.#abandon(this.#home);
  }

  /** What comes next goes into another file. */
  seal(): void {
    this.#home?.writer.seal();
  }

  /** Leaves the directory to whoever comes next. */
  leave(): void {
    this.#home?.directory.directory.close();
    this.#home?.directory.release();
    this.#home = undefined;
  }

  #make(): Home {
    const { folder, queue, sync, segmentBytes } = this.#options;
    const directory = makeOwnerDirectory(folder);
    return { directory, writer: new SegmentWriter(directory.directory, { queue, sync, segmentBytes }) };
  }

  #abandon({ directory, writer }: Home): void {
    this.#home = undefined;
    writer.abandon();
    directory.release();
    this.#options.onRemoved(directory.directory.path);
  }
}
