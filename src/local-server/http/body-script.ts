import type { Fault } from '../faults/fault.ts';
import type { FaultScript, RequestFacts } from '../faults/fault-script.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { paced } from './body-stream.ts';
import { scriptedRefusal } from './scripted-answer.ts';

/** What is scripted for the body of one request; whoever reads it asks. */
export interface BodyScript {
  /** The body as it comes in. */
  incoming(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** @throws HttpError when a body of this size is to be refused. */
  checkSize(bytes: number): void;
  /** @throws HttpError when a request with these events is to be refused. */
  checkEvents(events: EventBatch): void;
}

/** For a request that no fault has met by its head: its body may still bring one about. */
export function watchedBody(faults: FaultScript, request: RequestFacts): BodyScript {
  return {
    incoming: (chunks) => chunks,
    checkSize: (bytes) => {
      const fault = faults.takeForSize(request, bytes);
      if (fault === undefined) return;
      const text = `Scripted response: the request content is larger than ${fault.maxBodyBytes} bytes.`;
      throw scriptedRefusal(fault, 413, text);
    },
    checkEvents: (events) => {
      const found = faults.takeForEvents(request, events);
      if (found === undefined) return;
      const text = `The request content was malformed:\nScripted response: the event at index ${found.index} is rejected.`;
      throw scriptedRefusal(found.fault, 400, text).atEvent(found.index);
    },
  };
}

/** For a request that a fault has met: nothing else happens to its body, but it may come slowly. */
export function metBody({ uploadBytesPerSecond }: Fault, end: AbortSignal): BodyScript {
  return {
    incoming: (chunks) =>
      uploadBytesPerSecond === undefined ? chunks : paced(chunks, uploadBytesPerSecond, end),
    checkSize: () => {},
    checkEvents: () => {},
  };
}

/** What the request handler has put into the environment of a request. */
export function bodyScriptOf(environment: unknown): BodyScript | undefined {
  return ((environment ?? {}) as { bodyScript?: BodyScript }).bodyScript;
}
