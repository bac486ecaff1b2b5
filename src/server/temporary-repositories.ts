import { unrefTimer } from '../core/clock.ts';
import { FILE_LIMITS, repositoryNameOf } from '../core/file-repository.ts';
import type { ServerClock } from './clock.ts';
import { HttpError } from './http/http-error.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';

/** How long a file is kept without use. */
export const FILE_IDLE_MS = 10 * 60_000;
/** A page that is reloaded needs its repository again after a moment. */
const RELOAD_MS = 10_000;
const SWEEP_MS = 1000;

interface Host {
  readonly clock: ServerClock;
  readonly repositories: Repositories;
  readonly fileIdleMs: number;
}

/** Repositories for the files that people open on the web page. Nothing of them is saved, and unused ones are deleted. */
export class TemporaryRepositories {
  readonly #host: Host;
  /** When each one is deleted, in epoch milliseconds. */
  readonly #deadlines = new Map<string, number>();
  readonly #deleted = new Set<string>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** @throws HttpError 413 if the open files leave no memory. */
  create(fileName: string): Repository {
    const names = [...this.#deadlines.keys()];
    const bytes = names.reduce((sum, name) => sum + (this.#host.repositories.get(name)?.store.bytes ?? 0), 0);
    if (bytes >= FILE_LIMITS.maxBytes) {
      const message = `The memory for files is full. Close the tabs of other files: ${names.join(', ')}.`;
      throw new HttpError(413, message);
    }
    const name = this.#freeName(repositoryNameOf(fileName));
    const repository = this.#host.repositories.createTemporary(name, FILE_LIMITS);
    this.#deleted.delete(name);
    this.#deadlines.set(name, this.#host.clock.now() + this.#host.fileIdleMs);
    this.#sweeper ??= unrefTimer(setInterval(() => this.#sweep(), SWEEP_MS));
    return repository;
  }

  get(name: string): Repository | undefined {
    return this.#deadlines.has(name) ? this.#host.repositories.get(name) : undefined;
  }

  /** True if a file with this name was open. */
  wasDeleted(name: string): boolean {
    return this.#deleted.has(name);
  }

  /** Extends the life of a temporary repository that is in use. Other names are ignored. */
  use(name: string): void {
    this.#sweep();
    this.leave(name, this.#host.fileIdleMs);
  }

  /** Notes that a page with this repository was closed. */
  leave(name: string, keptMs = RELOAD_MS): void {
    if (this.#deadlines.has(name)) this.#deadlines.set(name, this.#host.clock.now() + keptMs);
  }

  delete(name: string): void {
    if (!this.#deadlines.delete(name)) return;
    this.#host.repositories.delete(name);
    this.#deleted.add(name);
    if (this.#deadlines.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #sweep(): void {
    const now = this.#host.clock.now();
    for (const [name, deadline] of [...this.#deadlines]) if (deadline <= now) this.delete(name);
  }

  #freeName(base: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? base : `${base} ${number}`;
      if (this.#host.repositories.findLike(name) === undefined) return name;
    }
  }
}
