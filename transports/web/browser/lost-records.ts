import type { BrowserGlobals } from './browser-globals.ts';

/** Counts in `localStorage` of records that pages could not send before they ended. */
export class LostRecords {
  readonly #globals: BrowserGlobals;
  readonly #prefix: string;
  readonly #key: string;

  constructor(globals: BrowserGlobals, url: string, visitId: string) {
    this.#globals = globals;
    this.#prefix = `logclient:${url}:`;
    this.#key = this.#prefix + visitId;
  }

  /** Passes on the sum of the counts that other pages have saved, and removes them. */
  collect(onCollected: (count: number) => void): void {
    const collect = (): void => {
      let count = 0;
      this.#try((storage) => {
        for (const key of Object.keys(storage).filter((name) => name.startsWith(this.#prefix))) {
          count += Number(storage.getItem(key)) || 0;
          storage.removeItem(key);
        }
        return true;
      });
      if (count > 0) onCollected(count);
    };
    // Two tabs that open at the same time must not report the same records.
    const { locks } = this.#globals.navigator;
    if (locks === undefined) collect();
    else locks.request(this.#prefix, collect).catch(collect);
  }

  /** @returns false if the browser has no storage. */
  save(count: number): boolean {
    return this.#try((storage) => {
      storage.setItem(this.#key, String(count));
      return true;
    });
  }

  /** Removes the count of this page. @returns false if another page has collected it, or the storage is gone. */
  takeBack(): boolean {
    return this.#try((storage) => {
      const isThere = storage.getItem(this.#key) !== null;
      storage.removeItem(this.#key);
      return isThere;
    });
  }

  #try(use: (storage: BrowserGlobals['localStorage']) => boolean): boolean {
    try {
      return use(this.#globals.localStorage);
    } catch {
      return false; // The user blocks storage, or it is full.
    }
  }
}
