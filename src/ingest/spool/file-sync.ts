import { close, closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Timer } from '../../core/clock.ts';
import { sentence } from '../../core/sentence.ts';
import { tryOr } from '../../core/try-or.ts';
import type { SpoolSettings } from './spool-options.ts';

const INTERVAL_MS = 1_000;

const closeFile = promisify(close);
const syncFile = promisify(fdatasync);

/** Syncs appended bytes to disk according to the option `fsync`, and closes files after their last sync. */
export class FileSync {
  readonly #settings: SpoolSettings;
  /** Files with unsynced bytes. */
  readonly #touched = new Set<number>();
  /** Folders with new files whose names are not synced. */
  readonly #folders = new Set<string>();
  /** Complete files, to be closed after their sync. */
  readonly #retired = new Set<number>();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(settings: SpoolSettings) {
    this.#settings = settings;
  }

  /** Called when a file was created in a folder: its name must survive power loss, too. */
  created(folder: string): void {
    if (process.platform === 'win32') return; // Windows can't sync folders.
    if (this.#settings.fsync === 'always') tryOr(undefined, () => syncFolderSync(folder));
    if (this.#settings.fsync === 'interval') this.#folders.add(folder);
  }

  /** Called when bytes were appended to a file. @throws Error of the file system, with `always`. */
  touched(descriptor: number): void {
    const { fsync, clock } = this.#settings;
    if (fsync === 'always') fdatasyncSync(descriptor);
    if (fsync !== 'interval') return;
    this.#touched.add(descriptor);
    this.#timer ??= clock.startTimer(INTERVAL_MS, () => this.#flush());
  }

  /** Skips the sync of a file that no longer has a name. */
  forget(descriptor: number): void {
    this.#touched.delete(descriptor);
  }

  /** Closes a file after its sync. The caller must not use it anymore. */
  retire(descriptor: number): void {
    this.#retired.add(descriptor);
    this.#flush();
  }

  /** Syncs and closes everything before it returns, for process exit. */
  flushSync(): void {
    this.#cancelTimer();
    for (const descriptor of this.#touched) this.#try(() => fdatasyncSync(descriptor));
    for (const folder of this.#folders) tryOr(undefined, () => syncFolderSync(folder));
    for (const descriptor of this.#retired) this.#try(() => closeSync(descriptor));
    for (const set of [this.#touched, this.#folders, this.#retired]) set.clear();
  }

  #flush(): void {
    this.#cancelTimer();
    // One run after another, so that no run closes a file that another still syncs.
    this.#running = this.#running.then(() => this.#flushOnce());
  }

  async #flushOnce(): Promise<void> {
    const touched = [...this.#touched];
    const folders = [...this.#folders];
    const retired = [...this.#retired];
    for (const set of [this.#touched, this.#folders, this.#retired]) set.clear();
    const onError = (error: Error): void => this.#report(error);
    for (const descriptor of touched) await syncFile(descriptor).catch(onError);
    // Not every file system can sync folders.
    for (const folder of folders) await syncFolder(folder).catch(() => {});
    for (const descriptor of retired) await closeFile(descriptor).catch(onError);
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#report(error as Error);
    }
  }

  #report({ message }: Error): void {
    const { directory, onTrouble } = this.#settings;
    onTrouble(sentence(`The spool ${directory} is not safe against power loss: ${message}`));
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function syncFolderSync(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
