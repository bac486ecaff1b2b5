import {
  compileEventScript,
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

export type ScriptParser = ReturnType<typeof scriptParser>;

/** A parser written in the query language. Immutable; `start` opens it for a request. @throws QueryTextError if the script is invalid */
export function scriptParser(options: ScriptParserOptions, library: QueryLibrary) {
  const { name, fieldsToTag = [], fieldsToBeRemovedBeforeParsing: fieldsToRemove = [] } = options;
  const fileOf = (file: string) => library.file(file) ?? MISSING_FILE;
  const script = compileEventScript(options.script, { ...library, file: fileOf }, MAX_EVENTS);
  const missing = [...script.files.keys()].filter((file) => library.file(file) === undefined);
  // Marks each event if a lookup file no longer exists.
  const warning = missing.length === 0 ? undefined : warningOf(name, missing);
  const tags = fieldsToTag.map((field) => field.replace(/^#/, ''));

  const withoutRemoved = (event: StoredEvent): StoredEvent => {
    if (fieldsToRemove.length === 0) return event;
    const kept = { ...event };
    for (const field of fieldsToRemove) delete kept[field];
    return kept;
  };
  const tagged = (row: StoredEvent): StoredEvent => {
    for (const field of tags) {
      if (!Object.hasOwn(row, field)) continue;
      row[`#${field}`] = row[field]!;
      delete row[field];
    }
    return row;
  };
  return {
    isCurrent: (current: QueryLibrary): boolean =>
      [...script.files].every(([file, table]) => (current.file(file) ?? MISSING_FILE) === table),
    start(now: number): ParseEvent {
      let run = script.start(now);
      return (event) => {
        startEvent();
        try {
          return run(withoutRemoved(event)).map((row) => tagged({ ...row, ...warning }));
        } catch (error) {
          run = script.start(now);
          const problem = error instanceof Error ? error.message : String(error);
          return [{ ...event, ...failureFields(`The parser "${name}" failed. ${problem}.`) }];
        } finally {
          endEvent();
        }
      };
    },
  };
}

function warningOf(parser: string, files: readonly string[]): StoredEvent {
  const names = files.map((name) => JSON.stringify(name)).join(' and ');
  const message = `The parser "${parser}" uses the lookup file ${names}, which doesn't exist: match() is skipped.`;
  return { '@error': 'true', '@error_msg': message };
}
