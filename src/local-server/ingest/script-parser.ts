import {
  compileEventScript,
  type EventScript,
  MISSING_FILE,
  type QueryLibrary,
} from '../../query-engine/index.ts';
import { compileWithin } from '../compile-limit.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { MAX_STANDSTILLS, OverTimeError, runWithin } from '../time-limit.ts';
import { failureFields } from './parser-failure.ts';

/** More than any real event holds, and few enough to be kept. Nobody else has a turn while an event is parsed. */
const LIMITS = { maxEvents: 10_000, timeoutMs: 1_000 };
/** How many events one run may fail for before it is taken for broken. */
const MAX_TIMEOUTS = 2;
/** A broken parser is not tried again for so long: whoever sends it events sends more of them. */
const BROKEN_MS = 10_000;

export interface ScriptParserOptions {
  readonly name: string;
  readonly script: string;
  readonly fieldsToTag?: readonly string[] | undefined;
  readonly fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
  /** A script of our own, known to take time in proportion to its event: to watch it would take longer than to run it. */
  readonly isTrusted?: boolean | undefined;
}

/** The events that a parser makes of one: none, when the script drops it. */
export type ParseEvent = (event: StoredEvent) => readonly StoredEvent[];

/** A parser that is a script in the query language. Immutable; `start` begins a request. */
export class ScriptParser {
  readonly #name: string;
  readonly #script: EventScript;
  readonly #isTrusted: boolean;
  readonly #fieldsToTag: readonly string[];
  readonly #fieldsToRemove: readonly string[];
  /** What each event gets when a lookup file no longer exists. */
  readonly #warning: StoredEvent | undefined;
  #brokenUntil = Number.NEGATIVE_INFINITY;

  /** @throws QueryTextError when the script can't be used. */
  constructor(options: ScriptParserOptions, library: QueryLibrary) {
    this.#name = options.name;
    this.#isTrusted = options.isTrusted ?? false;
    const { script } = options;
    this.#script = compileWithin(script, () => compileEventScript(script, withMissingFiles(library), LIMITS));
    const missing = [...this.#script.files].flatMap(([name, table]) =>
      table === MISSING_FILE ? [name] : [],
    );
    this.#warning = missing.length === 0 ? undefined : warningOf(options.name, missing);
    this.#fieldsToTag = (options.fieldsToTag ?? []).map((name) => name.replace(/^#/, ''));
    this.#fieldsToRemove = options.fieldsToBeRemovedBeforeParsing ?? [];
  }

  /** Whether the lookup files that it uses are still the same. */
  isCurrent(library: QueryLibrary): boolean {
    for (const [name, table] of this.#script.files) {
      if ((library.file(name) ?? MISSING_FILE) !== table) return false;
    }
    return true;
  }

  start(now: number): ParseEvent {
    let run = this.#script.start(now);
    let timeouts = 0;
    return (event) => {
      if (performance.now() < this.#brokenUntil) {
        return [this.#failed(event, 'It took too long for earlier events')];
      }
      for (let retries = 0; ; retries++) {
        try {
          return this.#rowsOf(event, run);
        } catch (error) {
          run = this.#script.start(now);
          const isOverTime = error instanceof OverTimeError;
          if (isOverTime && error.isStandstill && retries < MAX_STANDSTILLS) continue;
          if (isOverTime && ++timeouts >= MAX_TIMEOUTS) this.#brokenUntil = performance.now() + BROKEN_MS;
          return [this.#failed(event, problemOf(error))];
        }
      }
    };
  }

  #rowsOf(event: StoredEvent, run: ParseEvent): StoredEvent[] {
    const parse = () => run(this.#withoutRemoved(event));
    const rows = this.#isTrusted ? parse() : runWithin(LIMITS.timeoutMs, parse);
    return rows.map((row) => this.#tagged({ ...row, ...this.#warning }));
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

  #failed(event: StoredEvent, problem: string): StoredEvent {
    return { ...event, ...failureFields(`The parser "${this.#name}" failed. ${problem}.`) };
  }
}

function withMissingFiles(library: QueryLibrary): QueryLibrary {
  return { ...library, file: (name) => library.file(name) ?? MISSING_FILE };
}

function warningOf(parser: string, files: readonly string[]): StoredEvent {
  const names = files.map((name) => JSON.stringify(name)).join(' and ');
  const message = `The parser "${parser}" uses the lookup file ${names}, which doesn't exist: match() is skipped.`;
  return { '@error': 'true', '@error_msg': message };
}

function problemOf(error: unknown): string {
  if (error instanceof OverTimeError) return `It took longer than ${LIMITS.timeoutMs} ms for one event`;
  return error instanceof Error ? error.message : String(error);
}
