import { meantName } from '../../core/nearest-name.ts';
import type { QueryLibrary } from '../../engine/index.ts';
import { QueryTextError } from '../../language/index.ts';
import type { Parsers, SavedParser } from '../registries/parsers.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { BUILT_IN_PARSERS, type BuiltInParser } from './built-in-parsers.ts';
import { writeInstant } from './event-builder.ts';
import { putField } from './flatten.ts';
import { failureFields, LineError, type ParsedLine } from './json-line.ts';
import { type ParseEvent, type ScriptParser, scriptParser } from './script-parser.ts';

export interface ParseOptions {
  readonly now: number;
  /** Whether the client sent the time of the event, which overrides a time in the text. */
  readonly hasTime: boolean;
}

const BUILT_IN: ReadonlyMap<string, BuiltInParser> = new Map(
  BUILT_IN_PARSERS.map((parser) => [parser.name, parser]),
);

/** Scripts compiled for earlier requests. */
const COMPILED = new WeakMap<SavedParser, ScriptParser>();

/** The parsers for the events of one request: those of the repository, and the built-in ones. */
export class RepositoryParsers {
  readonly #own: Parsers;
  readonly #library: QueryLibrary;
  /** Scripts started for this request. */
  readonly #scripts = new Map<string, ParseEvent>();

  constructor(own: Parsers, library: QueryLibrary) {
    this.#own = own;
    this.#library = library;
  }

  has(name: string | undefined): name is string {
    return (
      name === 'none' ||
      (name !== undefined && (BUILT_IN.has(name) || this.#own.findBy('name', name) !== undefined))
    );
  }

  /**
   * The events that a parser creates from one. As on the service, a failure marks the event instead of failing the
   * request. Built-in parsers don't overwrite fields from the client.
   */
  parse(name: string, event: StoredEvent, { now, hasTime }: ParseOptions): readonly StoredEvent[] {
    // The service's name for no parser.
    if (name === 'none') return [event];
    const builtIn = BUILT_IN.get(name);
    if (builtIn === undefined) {
      const started = this.#scripts.get(name) ?? this.#start(name, now);
      this.#scripts.set(name, started);
      return started(event);
    }
    const { fields, instant } = readLine(builtIn, event['@rawstring']!, now);
    if (instant !== undefined && !hasTime) writeInstant(event, instant);
    for (const name in fields) if (!Object.hasOwn(event, name)) putField(event, name, fields[name]!);
    return [event];
  }

  #start(name: string, now: number): ParseEvent {
    const own = this.#own.findBy('name', name);
    if (own !== undefined) return startParser(own, now, this.#library);
    const names = [...BUILT_IN.keys(), ...this.#own.list().map((parser) => parser.name)];
    const hint = meantName(name, names, `This local server has: ${names.join(', ')}.`);
    return failing(`There is no parser ${JSON.stringify(name.slice(0, 100))}. ${hint}`);
  }
}

/** A script saved by an earlier release, or whose lookup file was deleted, may not compile. */
function startParser(parser: SavedParser, now: number, library: QueryLibrary): ParseEvent {
  try {
    const known = COMPILED.get(parser);
    if (known?.isCurrent(library)) return known.start(now);
    const compiled = scriptParser(parser, library);
    COMPILED.set(parser, compiled);
    return compiled.start(now);
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    return failing(`The parser "${parser.name}" is invalid. ${error.message}.`);
  }
}

function failing(problem: string): ParseEvent {
  return (event) => [{ ...event, ...failureFields(problem) }];
}

function readLine({ parse }: BuiltInParser, line: string, now: number): ParsedLine {
  try {
    return parse(line, now);
  } catch (error) {
    if (error instanceof LineError) return { fields: failureFields(error.message) };
    throw error;
  }
}
