import type { ServerClock } from './clock.ts';
import { Repository } from './repository.ts';
import { savedTexts } from './saved-value.ts';
import { noFolder, type StateFolder } from './state-folder.ts';
import { EventStore, type EventStoreOptions } from './store/event-store.ts';

export interface RepositoriesOptions {
  readonly clock: ServerClock;
  readonly folder: StateFolder;
  /** Opens the store of a repository; `folder` contains its events. */
  readonly openStore: (folder: StateFolder) => EventStore;
}

export class Repositories {
  readonly #options: RepositoriesOptions;
  readonly #byName = new Map<string, Repository>();

  /** Loads the repositories of earlier runs from the folder. */
  constructor(options: RepositoriesOptions) {
    this.#options = options;
    for (const name of options.folder.subfolderNames()) {
      if (repositoryNameProblem(name) !== undefined) continue;
      this.#check(name);
      this.#byName.set(name, this.#open(name, options.folder.subfolder(name)));
    }
  }

  get(name: string): Repository | undefined {
    return this.#byName.get(name);
  }

  list(): Repository[] {
    return [...this.#byName.values()];
  }

  /** Ignores case: names become folders, and some file systems do. */
  findLike(name: string): Repository | undefined {
    return this.list().find((known) => known.name.toLowerCase() === name.toLowerCase());
  }

  /**
   * @param fill sets the repository up before anyone sees it
   * @throws Error when the name can't be used, or is in use, and what `fill` throws; then nothing is created.
   */
  create(name: string, fill: (repository: Repository) => void = () => {}): Repository {
    this.#check(name);
    const repository = this.#options.folder.create(name, (folder) => {
      const created = this.#open(name, folder);
      fill(created);
      return created;
    });
    this.#byName.set(name, repository);
    return repository;
  }

  /** Creates a repository that is never saved. @throws Error like {@link create} */
  createTemporary(name: string, limits: EventStoreOptions): Repository {
    this.#check(name);
    const { clock } = this.#options;
    const repository = new Repository({ name, clock, folder: noFolder, store: new EventStore(limits) });
    this.#byName.set(name, repository);
    return repository;
  }

  /** Deletes a repository with everything in it; false if there is none with that name. */
  delete(name: string): boolean {
    const repository = this.#byName.get(name);
    if (repository === undefined) return false;
    // Windows renames no folder with open files.
    repository.store.rest();
    this.#options.folder.removeSubfolder(name);
    this.#byName.delete(name);
    repository.store.close();
    return true;
  }

  #open(name: string, folder: StateFolder): Repository {
    const { clock, openStore } = this.#options;
    return new Repository({ name, clock, folder, store: openStore(folder.subfolder('events')) });
  }

  #check(name: string): void {
    const existing = this.findLike(name);
    const clash = existing && `The repository "${existing.name}" already exists.`;
    const problem = repositoryNameProblem(name) ?? clash;
    if (problem !== undefined) throw new Error(problem);
  }
}

/** What is wrong with a repository name; `undefined` if it is valid. A valid name can't escape its folder. */
export function repositoryNameProblem(name: string): string | undefined {
  if (/^[A-Za-z0-9_](?:[A-Za-z0-9_ .-]{0,98}[A-Za-z0-9_-])?$/.test(name)) return undefined;
  return (
    'A repository name consists of up to 100 letters (a-z), digits, "_", "-", "." and spaces, starts with a letter, a digit ' +
    'or "_", and does not end with "." or a space.'
  );
}

/** The default repository of the last run with a folder; empty without one. */
export function lastRepository(folder: StateFolder) {
  return savedTexts(folder, 'default-repository.json', ['repository']);
}

const DEFAULT_TOKEN_NAME = 'default';

export function openRepository(
  repositories: Repositories,
  name: string,
  timeBasedRetention: number | undefined,
): Repository {
  const repository = repositories.get(name) ?? repositories.create(name);
  if (timeBasedRetention !== undefined) repository.retention.set({ timeBasedRetention });
  return repository;
}

/** The ingest token of a repository: the wanted one, that of an earlier run, or a random one. */
export function defaultIngestToken({ ingestTokens }: Repository, preferred: string | undefined): string {
  const kept = ingestTokens.get(DEFAULT_TOKEN_NAME);
  if (kept !== undefined && (preferred === undefined || kept.token === preferred)) return kept.token;
  if (preferred !== undefined && ingestTokens.findBy('token', preferred) !== undefined) return preferred;
  return ingestTokens.add({ name: DEFAULT_TOKEN_NAME, token: preferred }, kept).token;
}
