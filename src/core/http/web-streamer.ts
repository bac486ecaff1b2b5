import { ItemsOfBatches } from '../items-of-batches.ts';
import { LineSplitter } from '../line-splitter.ts';
import { onAbort } from '../on-abort.ts';
import { wrongKind } from '../option-checks.ts';
import { badResponse, type WebResponse } from './web-response.ts';

/** A line is an event, up to 1 MiB on the service, or a row of a table. */
const MAX_RESPONSE_LINE_BYTES = 2 ** 26;

/**
 * Yields the lines of a response as they arrive. Skips blank lines, which the service sends as keep-alive. Leaving the
 * loop closes the connection.
 *
 * Throws a LogConnectionDroppedException if the connection drops mid-response; an incomplete line is not yielded.
 * Throws a LogHTTPException with the code `LOG_BAD_ANSWER` for a line over 64 MiB.
 */
export class WebStreamer implements AsyncIterable<string> {
  /** Response that the lines are from. */
  readonly response: WebResponse;
  /**
   * True if the response ended without a newline after the last yielded line. The service terminates every line, so a
   * proxy may have truncated the response.
   */
  isInLastLine = false;

  /** @throws LogOptionsException */
  constructor(response: WebResponse) {
    if (response?.body === undefined) {
      throw wrongKind('WebStreamer', 'the response', 'a response of callRest()', response);
    }
    this.response = response;
  }

  [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    return new ItemsOfBatches((closing) => {
      onAbort(closing, () => this.response.discard());
      return this.batches();
    });
  }

  /**
   * Yields the same lines in the batches in which they arrived, which is faster for many lines. A batch is empty if only
   * blank lines or a part of a line arrived.
   */
  async *batches(): AsyncGenerator<readonly string[], void, undefined> {
    const splitter = new LineSplitter();
    for await (const chunk of this.response.body) {
      const lines = splitter.push(chunk);
      if (splitter.beginningBytes > MAX_RESPONSE_LINE_BYTES) {
        throw badResponse(this.response, `has a line of more than ${MAX_RESPONSE_LINE_BYTES} bytes`);
      }
      yield lines;
    }
    const last = splitter.flush();
    this.isInLastLine = last.length > 0;
    if (last.length > 0) yield last;
  }
}
