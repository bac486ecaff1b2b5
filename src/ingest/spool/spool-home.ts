import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../../internal/clock.ts';
import { type LivenessLock, lockFolder } from './liveness-lock.ts';
import { SegmentWriter, type SegmentWriterOptions } from './segment-writer.ts';
import { SpoolDirectory } from './spool-directory.ts';

/** Interval of the check that the directory still exists. */
const CHECK_INTERVAL_MS = 1_000;

/** File system types of NFS, SMB, CIFS and SMB 2 on Linux. */
const NETWORK_TYPES = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

export interface SpoolHomeOptions extends SegmentWriterOptions {
  /** Contains the directories of all owners with this destination. */
  readonly folder: string;
  /** Called if the directory was removed. */
  readonly onRemoved: (path: string) => void;
}

/** A locked directory. No other process writes to it or claims it. */
interface Home {
  readonly directory: SpoolDirectory;
  readonly lock: LivenessLock;
  readonly writer: SegmentWriter;
}

/** The directory that a spool writes to. It is created on first use, and again after it was removed. */
export class SpoolHome {
  readonly #options: SpoolHomeOptions;
  #home: Home | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpoolHomeOptions) {
    this.#options = options;
  }

  /** `undefined` if there is no directory. */
  get path(): string | undefined {
    return this.#home?.directory.path;
  }

  /** @throws Error of the file system */
  writer(nowMs: number): SegmentWriter {
    if (!isWithin(CHECK_INTERVAL_MS, this.#checkedAt, nowMs)) {
      this.checkRemoved();
      this.#checkedAt = nowMs;
    }
    this.#home ??= this.#create();
    return this.#home.writer;
  }

  /** Makes the next use check that the directory still exists. */
  checkSoon(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  /** Reports and abandons a directory that was removed. */
  checkRemoved(): void {
    if (this.#home === undefined || this.#home.lock.isVisible()) return;
    const { directory, lock, writer } = this.#home;
    this.#home = undefined;
    writer.seal(true);
    lock.release();
    this.#options.onRemoved(directory.path);
  }

  /** Completes the current segment; later records are written to a new one. */
  seal(): void {
    this.#home?.writer.seal();
  }

  /** Releases the directory, so that another process can adopt it. */
  leave(): void {
    this.#home?.directory.close();
    this.#home?.lock.release();
    this.#home = undefined;
  }

  /**
   * Creates and locks a directory with a new name. Only the user can read it, because log data is private.
   *
   * @throws Error of the file system
   */
  #create(): Home {
    // Names sort by age and are never reused, so a dead directory stays dead.
    const name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
    const path = join(this.#options.folder, name);
    makeFolders(path);
    const directory = new SpoolDirectory(path, false);
    try {
      return { directory, lock: lockFolder(path), writer: new SegmentWriter(directory, this.#options) };
    } catch (error) {
      directory.close();
      throw error;
    }
  }
}

/** True if a folder is shared with other machines, whose processes this machine can't see. */
export function isOnNetwork(folder: string): boolean {
  try {
    return process.platform === 'linux' && NETWORK_TYPES.includes(statfsSync(folder).type);
  } catch {
    return false;
  }
}

/**
 * Creates a folder and its parents, also if another process creates them at the same time. Node's `recursive` option loops
 * forever where creating a folder fails with ENOENT although its parent exists, such as in /proc and below the folders of
 * an automounter.
 */
function makeFolders(path: string): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
