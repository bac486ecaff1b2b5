import type { Fault } from '../faults/fault.ts';
import type { FaultScript, RequestFacts } from '../faults/fault-script.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { HttpError } from './http-error.ts';

/** What is scripted for the body of one request; the code that reads it asks. */
export interface BodyScript {
  incoming?(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** @throws HttpError if a body of this size must be rejected. */
  checkSize?(bytes: number): void;
  /** @throws HttpError if a request with these events must be rejected. */
  checkEvents?(events: EventBatch): void;
}

/** For a request without a fault so far: its body may trigger one. */
export function watchedBody(faults: FaultScript, request: RequestFacts): BodyScript {
  return {
    checkSize: (bytes) => {
      const fault = faults.takeForSize(request, bytes);
      if (fault === undefined) return;
      const text = `Scripted response: the request content is larger than ${fault.maxBodyBytes} bytes.`;
      throw scriptedRefusal(fault, 413, text);
    },
    checkEvents: (events) => {
      const match = faults.takeForEvents(request, events);
      if (match === undefined) return;
      const text = `The request content was malformed:\nScripted response: the event at index ${match.index} is rejected.`;
      throw scriptedRefusal(match.fault, 400, text).atEvent(match.index);
    },
  };
}

/** Responses with these statuses can't have a body. */
const WITHOUT_BODY = [204, 205, 304];

export function scriptedAnswer(fault: Fault, status: number): Response {
  const text = fault.body ?? `Scripted response: status ${status}.`;
  return new Response(WITHOUT_BODY.includes(status) ? null : text, {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8', ...scriptedHeaders(fault) },
  });
}

/** The response of a fault for a request that has reached its route. */
export function scriptedRefusal(fault: Fault, status: number, text: string): HttpError {
  return new HttpError(fault.status ?? status, fault.body ?? text, scriptedHeaders(fault));
}

function scriptedHeaders({ retryAfter, headers = {} }: Fault): Record<string, string> {
  return { ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }), ...headers };
}
