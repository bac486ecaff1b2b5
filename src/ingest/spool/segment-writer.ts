import { join } from 'node:path';
import { isWithin } from '../../core/clock.ts';
import { makeFolders } from '../../core/folders.ts';
import type { LivenessLock } from '../../core/liveness-lock.ts';
import { FileSync } from './file-sync.ts';
import type { LineWriter } from './line-writer.ts';
import { EMPTY, Segment } from './segment.ts';
import type { SegmentQueue } from './segment-queue.ts';
import { SpoolDirectory } from './spool-directory.ts';
import type { SpoolSettings } from './spool-options.ts';

/** Interval of the check that the directory still exists. */
const CHECK_INTERVAL_MS = 1_000;

/** A locked directory. No other process writes to it or claims it. */
interface Home {
  readonly directory: SpoolDirectory;
  readonly lock: LivenessLock;
}

/**
 * Appends lines to the end of a queue, in segments of similar size. Creates and locks its directory on first use, and
 * again after it was removed.
 */
export class SegmentWriter {
  readonly #folder: string;
  readonly #settings: SpoolSettings;
  readonly #queue: SegmentQueue;
  readonly #onRemoved: () => void;
  readonly #sync: FileSync;
  #home: Home | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** The segment that grows. */
  #open: Segment | undefined;
  #nextNumber = 1;

  /** @param onRemoved called if the directory was removed. */
  constructor(folder: string, settings: SpoolSettings, queue: SegmentQueue, onRemoved: () => void) {
    this.#folder = folder;
    this.#settings = settings;
    this.#queue = queue;
    this.#onRemoved = onRemoved;
    this.#sync = new FileSync(settings);
  }

  /** Path of the directory; `undefined` if there is none. */
  get path(): string | undefined {
    return this.#home?.directory.path;
  }

  /** Creates the directory if there is none. @throws Error of the file system */
  open(nowMs: number): SpoolDirectory {
    if (!isWithin(CHECK_INTERVAL_MS, this.#checkedAt, nowMs)) {
      this.checkRemoved();
      this.#checkedAt = nowMs;
    }
    this.#home ??= createHome(this.#settings, this.#folder);
    return this.#home.directory;
  }

  /** Makes the next use check that the directory still exists. */
  checkSoon(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  /** Reports and abandons a directory that was removed. Written records can still be read through the open file. */
  checkRemoved(): void {
    if (this.#home === undefined || this.#home.lock.isVisible()) return;
    const { directory, lock } = this.#home;
    this.#home = undefined;
    if (this.#open !== undefined) {
      this.#open.isSealed = true;
      this.#sync.forget(this.#open.descriptor!);
    }
    this.#open = undefined;
    this.#nextNumber = 1;
    lock.release();
    this.#onRemoved();
    this.#settings.onTrouble(
      `The spool directory ${directory.path} or its lock was removed. The spool continues in a new directory; records that were not sent yet may be lost.`,
    );
  }

  /** Appends all lines or none, so that they survive a crash. @throws Error of the file system */
  append(lines: LineWriter, nowMs: number): void {
    const directory = this.open(nowMs);
    const size = this.#open?.size ?? 0;
    if (size > 0 && size + lines.bytes.length > this.#settings.segmentBytes) this.seal();
    const isFresh = this.#open === undefined || this.#open.size === 0;
    try {
      this.#appendOnce(directory, lines);
    } catch (error) {
      if (isFresh) throw error;
      // The failure may only affect this file.
      this.seal();
      this.#appendOnce(directory, lines);
    }
  }

  /** Completes the current segment; later lines are written to a new one. */
  seal(): void {
    if (this.#open === undefined) return;
    this.#open.isSealed = true;
    this.#sync.retire(this.#open.detach()!);
    this.#open = undefined;
  }

  /** Completes the current segment, and syncs all lines before it returns. */
  sealSync(): void {
    this.seal();
    this.#sync.flushSync();
  }

  /** Releases the directory, so that another process can adopt it. */
  leave(): void {
    this.#home?.directory.close();
    this.#home?.lock.release();
    this.#home = undefined;
  }

  /** @throws Error of the file system */
  #appendOnce(directory: SpoolDirectory, { bytes, records, eventBytes }: LineWriter): void {
    this.#open ??= this.#create(directory);
    const segment = this.#open;
    const descriptor = segment.descriptor!;
    const { disk } = this.#settings;
    try {
      for (let written = 0; written < bytes.length; ) {
        written += disk.write(descriptor, bytes, written, bytes.length - written, null);
      }
      this.#sync.touched(descriptor);
    } catch (error) {
      this.#undo(segment, descriptor);
      throw error;
    }
    this.#queue.grown(segment, bytes.length, records, eventBytes);
  }

  #create(directory: SpoolDirectory): Segment {
    const number = this.#nextNumber++;
    const descriptor = this.#settings.disk.open(directory.segmentPath(number), 'create');
    const segment = new Segment(directory, number, EMPTY, descriptor);
    this.#queue.add(segment);
    this.#sync.created(directory.path);
    return segment;
  }

  #undo(segment: Segment, descriptor: number): void {
    try {
      this.#settings.disk.truncate(descriptor, segment.size);
    } catch {
      // An incomplete line is detected as long as nothing follows it.
      this.seal();
    }
  }
}

/** Creates and locks a directory that only the user can read. @throws Error of the file system */
function createHome({ disk, clock }: SpoolSettings, folder: string): Home {
  makeFolders(folder, 0o700, disk);
  // Names sort by age and are never reused, so a dead directory stays dead.
  const path = disk.makeUniqueFolder(join(folder, `${clock.now().toString(36).padStart(8, '0')}-`));
  const directory = new SpoolDirectory(disk, path, false);
  try {
    return { directory, lock: disk.lock(path) };
  } catch (error) {
    directory.close();
    throw error;
  }
}
