import { closableGenerator } from '../internal/closable-generator.ts';
import { LineSplitter } from '../internal/line-splitter.ts';
import type { WebResponse } from './web-response.ts';

/**
 * The lines of an answer, as they arrive. Blank lines, which the service sends to keep a quiet connection open, are
 * skipped. Leaving the loop closes the connection.
 *
 * Throws a LogConnectionDroppedException if the answer breaks off; what then is left of a line is not yielded.
 */
export class WebStreamer implements AsyncIterable<string> {
  readonly #response: WebResponse;

  constructor(response: WebResponse) {
    this.#response = response;
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    return closableGenerator(readLines(this.#response), () => this.#response.discard());
  }
}

async function* readLines(response: WebResponse): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter();
  for await (const chunk of response.body) {
    yield* splitter.push(chunk).filter(hasText);
  }
  yield* splitter.flush().filter(hasText);
}

function hasText(line: string): boolean {
  return line.trim() !== '';
}
