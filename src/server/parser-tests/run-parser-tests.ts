import type { ParserTestCase, ParserTestResult } from '../../core/wire/parsers.ts';
import { emptyLibrary, MISSING_FILE, type QueryLibrary } from '../../engine/index.ts';
import { createClock } from '../clock.ts';
import { EventBuilder } from '../ingest/event-builder.ts';
import { instantFromNumber } from '../ingest/instant.ts';
import { type ScriptParserOptions, scriptParser } from '../ingest/script-parser.ts';
import { checkOutput } from './check-output.ts';

/** A parser with its test cases. */
export interface TestedParser extends ScriptParserOptions {
  readonly testCases: readonly ParserTestCase[];
}

export interface ParserTestOptions {
  /** Lookup files and saved queries that the script uses. @default none */
  readonly library?: QueryLibrary;
  /** Called for each lookup file that does not exist. @default the events have an error */
  readonly onMissingFile?: (name: string) => void;
  /** Value of `#repo`. @default 'sandbox' */
  readonly repository?: string;
  /** Arrival time of the events, in epoch milliseconds. @default the current time */
  readonly now?: number;
}

const MAX_EVENT_BYTES = 1024 * 1024;

/**
 * Runs the test cases of a parser, and returns their results in the same order.
 *
 * @throws QueryTextError if the script is invalid
 */
export function runParserTests(
  parser: TestedParser,
  options: ParserTestOptions = {},
): readonly ParserTestResult[] {
  const { repository = 'sandbox', now = Date.now() } = options;
  const parse = scriptParser(parser, libraryOf(options)).start(now);
  const builder = new EventBuilder(createClock(now), MAX_EVENT_BYTES);
  const tags = new Set([
    '#repo',
    '#type',
    ...(parser.fieldsToTag ?? []).map((field) => field.replace(/^#?/, '#')),
  ]);
  return parser.testCases.map(({ event: { rawString: rawstring }, outputAssertions }) => {
    const instant = instantFromNumber(now)!;
    const event = builder.begin({ repository, instant, rawstring, type: parser.name, tags: {} });
    const outputEvents = builder.adopt(parse(event), event);
    return { outputEvents, outputFailures: checkOutput(outputEvents, outputAssertions, tags) };
  });
}

function libraryOf({ library = emptyLibrary, onMissingFile }: ParserTestOptions): QueryLibrary {
  if (onMissingFile === undefined) return library;
  const missing = new Set<string>();
  return {
    ...library,
    file(name) {
      const table = library.file(name);
      if (table === undefined && !missing.has(name)) onMissingFile(name);
      if (table === undefined) missing.add(name);
      return table ?? MISSING_FILE;
    },
  };
}
