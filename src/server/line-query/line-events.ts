import { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { lineEvent, UNKNOWN_TIME } from './line-event.ts';

/** An event of a structured ingest request. */
export interface StructuredEvent {
  readonly timestamp: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly rawstring: string;
}

/** Converts the lines of one source to events. */
export class LineEvents {
  #lines = 0;
  #withoutTime = 0;
  #lastTime: number | undefined;
  readonly #times: WrittenTimes;

  /** @param firstTime the time of the lines above the first line with a time. Default: the current time */
  constructor(firstTime?: number, times = new WrittenTimes()) {
    this.#lastTime = firstTime;
    this.#times = times;
  }

  /** Number of lines so far. */
  get lines(): number {
    return this.#lines;
  }

  /** How many of them have no time. */
  get withoutTime(): number {
    return this.#withoutTime;
  }

  /** The events of the next lines. */
  read(lines: readonly string[]): StructuredEvent[] {
    this.#lines += lines.length;
    return lines.map((line) => {
      const { '@timestamp': time = '', '@rawstring': _, ...attributes } = lineEvent(line, this.#times);
      // A line without a time, such as one of a stack, belongs to the line before.
      if (time === UNKNOWN_TIME) this.#withoutTime++;
      else this.#lastTime = Number(time);
      return { timestamp: this.#lastTime ?? Date.now(), attributes, rawstring: line };
    });
  }
}
