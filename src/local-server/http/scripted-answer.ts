import type { Fault } from '../faults/fault.ts';
import { HttpError } from './http-error.ts';

/** Answers with these statuses can't have a body. */
const WITHOUT_BODY = [204, 205, 304];

export function scriptedAnswer(fault: Fault, status: number): Response {
  const text = fault.body ?? `Scripted response: status ${status}.`;
  return new Response(WITHOUT_BODY.includes(status) ? null : text, {
    status,
    headers: { 'content-type': 'text/plain; charset=UTF-8', ...scriptedHeaders(fault) },
  });
}

/** With what a fault refuses a request that has come as far as a route. */
export function scriptedRefusal(fault: Fault, status: number, text: string): HttpError {
  return new HttpError(fault.status ?? status, fault.body ?? text, scriptedHeaders(fault));
}

function scriptedHeaders({ retryAfter, headers = {} }: Fault): Record<string, string> {
  return { ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }), ...headers };
}
