import type { LogHTTPException } from '../errors.ts';
import { closableGenerator } from '../internal/closable-generator.ts';
import { ItemsOfBatches } from '../internal/items-of-batches.ts';
import { LineSplitter } from '../internal/line-splitter.ts';
import { badAnswer, type WebResponse } from './web-response.ts';

/** A line is an event, of which the service takes 1 MiB, or a row of a table. */
const MAX_LINE_BYTES = 2 ** 26;

const SPACE = 0x20;

/**
 * The lines of an answer, as they arrive. Blank lines, which the service sends to keep a quiet connection open, are
 * skipped. Leaving the loop closes the connection.
 *
 * Throws a LogConnectionDroppedException if the answer breaks off; what then is left of a line is not yielded. A line
 * of more than 64 MiB is a LogHTTPException with the code `LOG_BAD_ANSWER`.
 */
export class WebStreamer implements AsyncIterable<string> {
  /** The answer that the lines are of. */
  readonly response: WebResponse;
  #isInLastLine = false;

  constructor(response: WebResponse) {
    this.response = response;
  }

  /**
   * Whether the answer has ended, and without the end of the line that was yielded last. The service ends every line:
   * something on the way may have cut the answer in a way that looks like its end.
   */
  get isInLastLine(): boolean {
    return this.#isInLastLine;
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    const batches = closableGenerator(this.batches(), () => this.response.discard());
    return new ItemsOfBatches(batches, (line) => line);
  }

  /** The same lines, those that arrived together at a time: to wait for each of a million lines takes seconds. */
  async *batches(): AsyncGenerator<readonly string[], void, undefined> {
    const splitter = new LineSplitter();
    for await (const chunk of this.response.body) {
      const lines = splitter.push(chunk).filter(hasText);
      if (splitter.beginningBytes > MAX_LINE_BYTES) throw tooLongLine(this.response);
      if (lines.length > 0) yield lines;
    }
    const last = splitter.flush().filter(hasText);
    this.#isInLastLine = last.length > 0;
    if (last.length > 0) yield last;
  }
}

function tooLongLine(response: WebResponse): LogHTTPException {
  const { method, path } = response;
  return badAnswer(
    response,
    `The response to ${method} ${path} has a line of more than ${MAX_LINE_BYTES} bytes.`,
  );
}

function hasText(line: string): boolean {
  return line.charCodeAt(0) > SPACE || line.trim() !== '';
}
