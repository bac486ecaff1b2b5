import { utf8Text } from '../../core/bytes.ts';
import { SILENCE } from '../../core/line-splitter.ts';
import type { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { TIME_SOURCE } from '../../core/records/record-fields.ts';
import type { Fields } from '../../engine/index.ts';
import type { EventBuilder } from '../ingest/event-builder.ts';
import type { EventDefaults } from '../store/batch-index.ts';
import type { EventBatch } from '../store/event-batch.ts';
import type { ReadLine } from '../store/text-batch.ts';
import { TextBatchBuilder } from '../store/text-batch-builder.ts';
import { lineEvent } from './line-event.ts';
import { LineFormats } from './line-formats.ts';
import { LineTable, otherTime } from './line-table.ts';

/** Size of an event in addition to its text. */
const OVERHEAD_BYTES = 64;
/** At least as many as a segment of the store has, so that each line is parsed once for all columns of a query. */
const PARSED_LINES = 8192;
/** Lines of a source whose layouts are known before its first events. */
const LEARNED_LINES = 64;

export interface LineBatchesOptions {
  readonly builder: EventBuilder;
  readonly repository: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly times: WrittenTimes;
  /** When the source was written if it is a file, which is the time of lines if no line so far has one. */
  readonly otherwise?: number | undefined;
}

/** Lines of one source as batches of a store. They stay text: only the position, layout and time of each line are found. */
export class LineBatches {
  readonly #options: LineBatchesOptions;
  readonly #formats = new LineFormats();
  readonly #readLine: ReadLine;
  /** What lines of the batch have in addition to their text: all of them, and by their level and by where their time is from. */
  #shared: EventDefaults | undefined;
  readonly #defaults = new Map<string | undefined, EventDefaults>();
  /** Number of lines so far. */
  lines = 0;
  /** How many of them have no time of their own. */
  withoutTime = 0;
  #last: number | undefined;
  #first: number | undefined;

  constructor(options: LineBatchesOptions) {
    this.#options = options;
    this.#readLine = parsedLines((line) => lineEvent(line, options.times));
  }

  /** The times of all lines so far, epoch milliseconds; `undefined` without lines. */
  get timeRange(): readonly [first: number, last: number] | undefined {
    return this.#first === undefined ? undefined : [this.#first, this.#latest];
  }
  #latest = Number.NEGATIVE_INFINITY;

  /**
   * @param bytes whole lines, which may end with a newline
   * @param previous the time of the line before, epoch milliseconds; `undefined` if none since the last pause has one
   */
  batchOf(bytes: Uint8Array, previous = bytes === SILENCE ? undefined : this.#last): EventBatch {
    const { builder, repository, tags, times } = this.#options;
    const text = utf8Text(bytes);
    const characterBytes = text.length === bytes.length ? 1 : 2;
    const table = new LineTable(text, this.#formats, {
      times,
      previous,
      otherwise: otherTime(this.#options.otherwise),
    });
    this.#defaults.clear();
    this.#shared = builder.defaults({ repository, type: 'none', tags }, 'Z');
    const batch = new TextBatchBuilder(text, table.length);
    this.#last = previous;
    // A layout is learned from several lines, which should have it, too.
    const learned = this.lines === 0 ? Math.min(table.length, LEARNED_LINES) : 0;
    for (let index = 0; index < learned; index++) table.glanceAt(index);
    for (let index = 0; index < table.length; index++) {
      const { layout, start, end, time, level } = table.glanceAt(index);
      if (time === undefined) this.withoutTime++;
      else this.#last = time;
      const source = (time ?? this.#last) === undefined ? table.sourceAt(index) : undefined;
      const timestamp = time ?? this.#last ?? table.timeAt(index);
      this.#first = Math.min(timestamp, this.#first ?? timestamp);
      this.#latest = Math.max(timestamp, this.#latest);
      const weight = characterBytes * (end - start) + OVERHEAD_BYTES;
      batch.add({ layout, start, end, timestamp, nanos: 0, weight }, this.#defaultsOf(level, source));
    }
    this.lines += table.length;
    return batch.build(builder.takeIds(table.length), this.#readLine);
  }

  #defaultsOf(level: string | undefined, source: string | undefined): EventDefaults {
    const kind = source === undefined ? level : `${source} ${level}`;
    const found = this.#defaults.get(kind);
    if (found !== undefined) return found;
    const { template, weight } = this.#shared!;
    const own: Fields = { ...(level && { level }), ...(source && { [TIME_SOURCE]: source }) };
    const defaults = { template: { ...template, ...own }, weight };
    this.#defaults.set(kind, defaults);
    return defaults;
  }
}

/** Remembers the lines that were parsed last, so that reading several of their fields is fast. */
function parsedLines(parse: (line: string) => Fields): ReadLine {
  const numbers = new Float64Array(PARSED_LINES).fill(Number.NaN);
  const parsed: Fields[] = [];
  return (line, number) => {
    const place = number % PARSED_LINES;
    if (numbers[place] !== number) {
      numbers[place] = number;
      parsed[place] = parse(line);
    }
    return parsed[place]!;
  };
}
