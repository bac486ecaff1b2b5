import type { StateFolder } from './state-folder.ts';

export interface SavedValueOptions<Value> {
  readonly folder: StateFolder;
  readonly file: string;
  /** The value without a file. */
  readonly initial: Value;
  /** What is wrong with the JSON value of a file; `undefined` if it is a value. */
  readonly problemOf: (saved: unknown) => string | undefined;
}

/**
 * A value of the server's state: in memory, and in a JSON file. All state but events and lookup tables changes here, by one
 * rule: write, sync, swap, answer. So after any failure, memory = disk = what was acknowledged.
 */
export class SavedValue<Value> {
  readonly #options: SavedValueOptions<Value>;
  #value: Value;

  /** @throws Error that names the file if it has no valid value: starting without it would overwrite it. */
  constructor(options: SavedValueOptions<Value>) {
    this.#options = options;
    this.#value = this.#read();
  }

  get(): Value {
    return this.#value;
  }

  /** @throws DiskError if it can't be saved; then nothing has changed. */
  set(value: Value): void {
    const { folder, file } = this.#options;
    folder.write(file, `${JSON.stringify(value, undefined, 2)}\n`);
    this.#value = value;
  }

  /** Saves a value of the options or of the last run, unless it is saved: later runs without the options have it, too. */
  keep(value: Value): Value {
    if (JSON.stringify(value) !== JSON.stringify(this.#value)) this.set(value);
    return value;
  }

  #read(): Value {
    const { folder, file, initial, problemOf } = this.#options;
    let problem: string | undefined;
    let cause: unknown;
    try {
      const content = folder.read(file);
      if (content === undefined) return initial;
      const saved = JSON.parse(new TextDecoder().decode(content));
      problem = problemOf(saved);
      if (problem === undefined) return saved;
    } catch (error) {
      cause = error;
      problem = (error as Error).message;
    }
    throw new Error(
      `The state file ${folder.path}/${file} can't be read: ${problem}. Repair it, or move it to start without it.`,
      { cause },
    );
  }
}

/** A saved object of strings. */
export function savedTexts<Texts extends Readonly<Record<string, string>>>(
  folder: StateFolder,
  file: string,
  initial: Texts,
): SavedValue<Texts> {
  const problemOf = (saved: unknown) => lacksTexts(saved, Object.keys(initial));
  return new SavedValue({ folder, file, initial, problemOf });
}

/** What is wrong with a JSON object that needs these members as strings. */
export function lacksTexts(saved: unknown, names: readonly string[]): string | undefined {
  if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) return 'it is not an object';
  const missing = names.find((name) => typeof (saved as Record<string, unknown>)[name] !== 'string');
  return missing === undefined ? undefined : `"${missing}" is not a string`;
}
