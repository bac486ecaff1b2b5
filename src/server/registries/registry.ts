import type { ServerClock } from '../clock.ts';
import { lacksTexts, SavedValue } from '../saved-value.ts';
import type { StateFolder } from '../state-folder.ts';
import { checkLength, invalid, missing, ResourceError, tooLarge } from './resource-error.ts';

export interface RegistryOptions {
  readonly clock: ServerClock;
  readonly folder: StateFolder;
}

export interface RegistryKind<Entry> {
  /** What an entry is. */
  readonly noun: string;
  readonly file: string;
  /** Members that every entry has as strings. The first one identifies it. */
  readonly texts: readonly (keyof Entry & string)[];
  /** Maximum number of entries. */
  readonly max: number;
}

const MAX_NAME_LENGTH = 1000;

export class Registry<Entry extends object> {
  readonly #kind: RegistryKind<Entry>;
  readonly #saved: SavedValue<readonly Entry[]>;
  #entries: ReadonlyMap<string, Entry>;

  /** Loads the entries of earlier runs. @throws Error that names the file if one is damaged */
  constructor(folder: StateFolder, kind: RegistryKind<Entry>) {
    this.#kind = kind;
    const { file, texts } = kind;
    this.#saved = new SavedValue({
      folder,
      file,
      initial: [],
      problemOf: (saved) => listProblem(saved, texts),
    });
    this.#entries = new Map(this.#saved.get().map((entry) => [this.#keyOf(entry), entry]));
  }

  list(): Entry[] {
    return [...this.#entries.values()];
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  findBy<Name extends keyof Entry>(name: Name, value: Entry[Name]): Entry | undefined {
    for (const entry of this.#entries.values()) if (entry[name] === value) return entry;
    return undefined;
  }

  /** @throws ResourceError if there is no such entry */
  require(key: string): Entry {
    const entry = this.#entries.get(key);
    if (entry !== undefined) return entry;
    const { noun, texts } = this.#kind;
    const message = `No ${noun} with ${texts[0]} ${JSON.stringify(key.slice(0, 60))}`;
    throw missing(message, texts[0]!);
  }

  /** Adds an entry or replaces it. @throws ResourceError if there are too many */
  put(entry: Entry): Entry {
    const { max, noun } = this.#kind;
    if (!this.#entries.has(this.#keyOf(entry)) && this.#entries.size >= max) {
      throw tooLarge(`This ${noun} is one too many: the limit is ${max}.`);
    }
    this.#change(new Map(this.#entries).set(this.#keyOf(entry), entry));
    return entry;
  }

  /** @throws ResourceError if there is no such entry */
  remove(key: string): Entry {
    const entry = this.require(key);
    const left = new Map(this.#entries);
    left.delete(key);
    this.#change(left);
    return entry;
  }

  #change(entries: ReadonlyMap<string, Entry>): void {
    this.#saved.set([...entries.values()]);
    this.#entries = entries;
  }

  #keyOf(entry: Entry): string {
    return entry[this.#kind.texts[0]!] as string;
  }
}

function listProblem(saved: unknown, texts: readonly string[]): string | undefined {
  if (!Array.isArray(saved)) return 'it is not a list';
  const problems = saved.map((entry) => lacksTexts(entry, texts));
  const damaged = problems.findIndex((problem) => problem !== undefined);
  return damaged === -1 ? undefined : `in entry ${damaged + 1}, ${problems[damaged]}`;
}

/**
 * @param own the entry that gets the name; default: a new one
 * @throws ResourceError for a name that is blank, too long or in use
 */
export function checkName<Entry extends { readonly name: string }>(
  registry: Registry<Entry>,
  name: string,
  { what, own }: { readonly what: string; readonly own?: Entry | undefined },
): void {
  if (name.trim() === '') throw invalid('The name must not be empty.', 'name');
  checkLength('name', name, MAX_NAME_LENGTH);
  const other = registry.findBy('name', name);
  if (other !== undefined && other !== own) throw taken(`${what} with this name already exists.`);
}

/** The error for a name, token or ID that is in use. */
export function taken(message: string, field = 'name'): ResourceError {
  return new ResourceError('conflict', message, { [field]: 'taken' });
}

/** Drops `undefined` and `null` members. */
export function present<T extends object>(details: T): T {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value != null)) as T;
}
