import {
  compileEventScript,
  type EventScript,
  endEvent,
  MISSING_FILE,
  type QueryLibrary,
  startEvent,
} from '../../engine/index.ts';
import type { SavedParser } from '../registries/parsers.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { failureFields } from './json-line.ts';

/** Maximum number of events that a parser can create from one. */
const MAX_EVENTS = 10_000;

export interface ScriptParserOptions
  extends Pick<SavedParser, 'name' | 'script' | 'fieldsToTag' | 'fieldsToBeRemovedBeforeParsing'> {}

/** The events that a parser creates from one; none if the script drops it. */
export type ParseEvent = (event: StoredEvent) => readonly StoredEvent[];

/** A parser written in the query language. Immutable; `start` opens it for a request. */
export class ScriptParser {
  readonly #name: string;
  readonly #script: EventScript;
  readonly #fieldsToTag: readonly string[];
  readonly #fieldsToRemove: readonly string[];
  /** Fields that mark each event if a lookup file no longer exists. */
  readonly #warning: StoredEvent | undefined;

  /** @throws QueryTextError if the script is invalid. */
  constructor(options: ScriptParserOptions, library: QueryLibrary) {
    this.#name = options.name;
    const { script } = options;
    const withMissing: QueryLibrary = { ...library, file: (name) => library.file(name) ?? MISSING_FILE };
    this.#script = compileEventScript(script, withMissing, MAX_EVENTS);
    const missing = [...this.#script.files.keys()].filter((name) => library.file(name) === undefined);
    this.#warning = missing.length === 0 ? undefined : warningOf(options.name, missing);
    this.#fieldsToTag = (options.fieldsToTag ?? []).map((name) => name.replace(/^#/, ''));
    this.#fieldsToRemove = options.fieldsToBeRemovedBeforeParsing ?? [];
  }

  isCurrent(library: QueryLibrary): boolean {
    for (const [name, table] of this.#script.files) {
      if ((library.file(name) ?? MISSING_FILE) !== table) return false;
    }
    return true;
  }

  start(now: number): ParseEvent {
    let run = this.#script.start(now);
    return (event) => {
      startEvent();
      try {
        return run(this.#withoutRemoved(event)).map((row) => this.#tagged({ ...row, ...this.#warning }));
      } catch (error) {
        run = this.#script.start(now);
        const problem = error instanceof Error ? error.message : String(error);
        return [{ ...event, ...failureFields(`The parser "${this.#name}" failed. ${problem}.`) }];
      } finally {
        endEvent();
      }
    };
  }

  #withoutRemoved(event: StoredEvent): StoredEvent {
    if (this.#fieldsToRemove.length === 0) return event;
    const kept = { ...event };
    for (const name of this.#fieldsToRemove) delete kept[name];
    return kept;
  }

  #tagged(row: StoredEvent): StoredEvent {
    for (const name of this.#fieldsToTag) {
      if (!Object.hasOwn(row, name)) continue;
      row[`#${name}`] = row[name]!;
      delete row[name];
    }
    return row;
  }
}

function warningOf(parser: string, files: readonly string[]): StoredEvent {
  const names = files.map((name) => JSON.stringify(name)).join(' and ');
  const message = `The parser "${parser}" uses the lookup file ${names}, which doesn't exist: match() is skipped.`;
  return { '@error': 'true', '@error_msg': message };
}
