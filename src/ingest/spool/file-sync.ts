import { close, closeSync, fdatasync, fdatasyncSync, fsync, fsyncSync, open, openSync } from 'node:fs';
import type { Clock, Timer } from '../../internal/clock.ts';
import type { SpoolSync } from './spool-options.ts';

const INTERVAL_MS = 1_000;

export interface FileSyncOptions {
  readonly policy: SpoolSync;
  readonly clock: Clock;
  /** Told when the disk doesn't do it. */
  readonly onError: (error: Error) => void;
}

/** Makes appended bytes safe against a loss of power, as the policy asks for, and closes files only after that. */
export class FileSync {
  readonly #options: FileSyncOptions;
  /** Files with bytes that aren't safe yet. */
  readonly #touched = new Set<number>();
  /** Folders that got a file whose name isn't safe yet. */
  readonly #folders = new Set<string>();
  /** Files that nobody writes to any more. */
  readonly #retired = new Set<number>();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FileSyncOptions) {
    this.#options = options;
  }

  /** A file was made in a folder: its name has to be safe too. */
  made(folder: string): void {
    if (process.platform === 'win32') return; // There is no such thing.
    if (this.#options.policy === 'always') syncFolder(folder);
    if (this.#options.policy === 'interval') this.#folders.add(folder);
  }

  /**
   * Bytes were appended to a file.
   *
   * @throws Error of the file system, with the policy `always`.
   */
  touched(descriptor: number): void {
    const { policy, clock } = this.#options;
    if (policy === 'always') fdatasyncSync(descriptor);
    if (policy !== 'interval') return;
    this.#touched.add(descriptor);
    this.#timer ??= clock.startTimer(INTERVAL_MS, () => void this.flush());
  }

  /** Nobody cares any more whether a file is safe. */
  forget(descriptor: number): void {
    this.#touched.delete(descriptor);
  }

  /** Closes a file when it is safe. It must not be used any more. */
  retire(descriptor: number): void {
    this.#retired.add(descriptor);
    void this.flush();
  }

  /** Resolves when everything that was appended is safe, or the disk has refused. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    // One run after the other, so that no file is closed while another run has it.
    this.#running = this.#running.then(() => this.#flushOnce());
    return this.#running;
  }

  /** As {@link flush}, at the end of the process. */
  flushSync(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const descriptor of this.#touched) this.#try(() => fdatasyncSync(descriptor));
    this.#touched.clear();
    for (const descriptor of this.#retired) this.#try(() => closeSync(descriptor));
    this.#retired.clear();
  }

  async #flushOnce(): Promise<void> {
    const touched = [...this.#touched];
    const folders = [...this.#folders];
    const retired = [...this.#retired];
    for (const set of [this.#touched, this.#folders, this.#retired]) set.clear();
    for (const descriptor of touched) await this.#run((done) => fdatasync(descriptor, done));
    for (const folder of folders) await this.#syncFolder(folder);
    for (const descriptor of retired) await this.#run((done) => close(descriptor, done));
  }

  /** Not every file system does it, so errors are no news. */
  #syncFolder(folder: string): Promise<void> {
    return new Promise((resolve) => {
      open(folder, 'r', (openError, descriptor) => {
        if (openError) resolve();
        else fsync(descriptor, () => close(descriptor, () => resolve()));
      });
    });
  }

  #run(work: (done: (error: Error | null | undefined) => void) => void): Promise<void> {
    return new Promise((resolve) => {
      work((error) => {
        if (error) this.#options.onError(error);
        resolve();
      });
    });
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error as Error);
    }
  }
}

function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Not every file system does it.
  }
}
