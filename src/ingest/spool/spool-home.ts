import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../../internal/clock.ts';
import type { FileSync } from './file-sync.ts';
import { type LivenessLock, lockFolder } from './liveness-lock.ts';
import type { SegmentQueue } from './segment-queue.ts';
import { SegmentWriter } from './segment-writer.ts';
import { SpoolDirectory } from './spool-directory.ts';

/** Interval of the check that the directory still exists. */
const CHECK_INTERVAL_MS = 1_000;

/** File system types of NFS, SMB, CIFS and SMB 2 on Linux. */
const NETWORK_TYPES = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

export interface SpoolHomeOptions {
  /** Contains the directories of all owners with this destination. */
  readonly folder: string;
  readonly queue: SegmentQueue;
  readonly sync: FileSync;
  readonly segmentBytes: number;
  /** Called if the directory was removed. */
  readonly onRemoved: (path: string) => void;
}

/** Locked directory of a running spool. No other process writes to it or claims it. */
interface OwnerDirectory extends LivenessLock {
  readonly directory: SpoolDirectory;
}

interface Home {
  readonly owner: OwnerDirectory;
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
    return this.#home?.owner.directory.path;
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
    if (this.#home === undefined || this.#home.owner.isVisible()) return;
    const { owner, writer } = this.#home;
    this.#home = undefined;
    writer.abandon();
    owner.release();
    this.#options.onRemoved(owner.directory.path);
  }

  /** Completes the current segment; later records are written to a new one. */
  seal(): void {
    this.#home?.writer.seal();
  }

  /** Releases the directory, so that another process can adopt it. */
  leave(): void {
    this.#home?.owner.directory.close();
    this.#home?.owner.release();
    this.#home = undefined;
  }

  #create(): Home {
    const { folder, queue, sync, segmentBytes } = this.#options;
    const owner = makeOwnerDirectory(folder);
    return { owner, writer: new SegmentWriter(owner.directory, { queue, sync, segmentBytes }) };
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
 * Creates and locks a directory with a new name. Only the user can read it, because log data is private.
 *
 * @throws Error of the file system
 */
function makeOwnerDirectory(folder: string): OwnerDirectory {
  // Names sort by age and are never reused, so a dead directory stays dead.
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
  const path = join(folder, name);
  makeFolders(path);
  const directory = new SpoolDirectory(path, false);
  try {
    return { ...lockFolder(path), directory };
  } catch (error) {
    directory.close();
    throw error;
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` option loops forever where creating a folder fails with ENOENT
 * although its parent exists, such as in /proc and below the folders of an automounter.
 */
function makeFolders(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(path);
    if (code === 'ENOENT' && parent !== path && !existsSync(parent)) {
      makeFolders(parent);
      makeFolders(path);
    } else if (code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
