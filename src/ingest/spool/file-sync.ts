import type { Timer } from '../../core/clock.ts';
import { sentence } from '../../core/sentence.ts';
import { tryOr } from '../../core/try-or.ts';
import type { SpoolSettings } from './spool-options.ts';

const INTERVAL_MS = 1_000;

class Work {
  /** Files with unsynced bytes. */
  readonly touched = new Set<number>();
  /** Folders with new files whose names are not synced. */
  readonly folders = new Set<string>();
  /** Complete files, to be closed after their sync. */
  readonly retired = new Set<number>();
}

/** Syncs appended bytes to disk according to the option `fsync`, and closes files after their last sync. */
export class FileSync {
  readonly #settings: SpoolSettings;
  #next = new Work();
  /** What is synced at the moment. */
  #current = new Work();
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(settings: SpoolSettings) {
    this.#settings = settings;
  }

  /** Called when a file was created in a folder: its name must survive power loss, too. */
  created(folder: string): void {
    if (process.platform === 'win32') return; // Windows can't sync folders.
    const { fsync, disk } = this.#settings;
    if (fsync === 'always') tryOr(undefined, () => disk.syncFolder(folder));
    if (fsync === 'interval') this.#next.folders.add(folder);
  }

  /** Called when bytes were appended to a file. @throws Error of the file system, with `always`. */
  touched(descriptor: number): void {
    const { fsync, clock, disk } = this.#settings;
    if (fsync === 'always') disk.sync(descriptor);
    if (fsync !== 'interval') return;
    this.#next.touched.add(descriptor);
    this.#timer ??= clock.startTimer(INTERVAL_MS, () => this.#flush());
  }

  /** Skips the sync of a file that no longer has a name. */
  forget(descriptor: number): void {
    this.#next.touched.delete(descriptor);
  }

  /** Closes a file after its sync. The caller must not use it anymore. */
  retire(descriptor: number): void {
    this.#next.retired.add(descriptor);
    this.#flush();
  }

  /** Syncs and closes everything before it returns, for process exit. */
  flushSync(): void {
    const { disk } = this.#settings;
    this.#cancelTimer();
    // The current run may not end before the process does.
    for (const { touched, folders } of [this.#current, this.#next]) {
      for (const descriptor of touched) this.#try(() => disk.sync(descriptor));
      for (const folder of folders) tryOr(undefined, () => disk.syncFolder(folder));
    }
    for (const descriptor of this.#next.retired) {
      if (this.#current.touched.has(descriptor)) this.#current.retired.add(descriptor);
      else this.#try(() => disk.close(descriptor));
    }
    this.#next = new Work();
  }

  #flush(): void {
    this.#cancelTimer();
    // One run after another, so that no run closes a file that another still syncs.
    this.#running = this.#running.then(() => this.#flushOnce());
  }

  async #flushOnce(): Promise<void> {
    const { disk } = this.#settings;
    const { touched, folders, retired } = this.#next;
    this.#current = this.#next;
    this.#next = new Work();
    for (const descriptor of touched)
      await disk.syncLater(descriptor).catch((error: Error) => this.#report(error));
    // Not every file system can sync folders.
    for (const folder of folders) await disk.syncFolderLater(folder).catch(() => {});
    for (const descriptor of retired) this.#try(() => disk.close(descriptor));
    this.#current = new Work();
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
