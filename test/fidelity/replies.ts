import { type PollAnswer, pollAnswer } from '../helpers/query-answers.ts';
import type { Reply } from './service-script.ts';

/** Responses in the format of the service. */

const JSON_HEADERS = { 'content-type': 'application/json' };

export function json(value: unknown, status = 200): Reply {
  return { status, headers: JSON_HEADERS, body: [JSON.stringify(value)] };
}

/** The service's format for errors, regardless of `Accept`. */
export function textError(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers }, body: [text] };
}

export const NOTHING: Reply = { status: 204, headers: {}, body: [] };

/** An HTML page of a proxy. */
export function page(status: number, title: string): Reply {
  const text = `<!DOCTYPE html>\r\n<html><head><title>${title}</title></head><body><center>${title}</center></body></html>\r\n`;
  return { status, headers: { 'content-type': 'text/html' }, body: [text] };
}

export function jobCreated(id: string, queryOnView = '*'): Reply {
  return json({
    id,
    queryOnView,
    hashedQueryOnView: 'c0ffee12',
    staticMetaData: { executionMode: { runMode: 'Normal', details: 'all of it' } },
  });
}

/** The first polls of a job: no events, no progress, unknown members. */
export function runningPoll(metaData: { pollAfter: unknown } = { pollAfter: 2_797 }): Reply {
  return poll({ done: false, metaData: { ...metaData, queuedMillis: 3, responderVHost: 2 } });
}

/** The result of a finished job. */
export function donePoll(events: readonly object[], answer: PollAnswer = {}): Reply {
  return poll({ pollAfter: 19_706, events, ...answer });
}

/** The response of a live job, which is always the whole result. */
export function livePoll(events: readonly object[], answer: PollAnswer = {}): Reply {
  return poll({ pollAfter: 2_341, events, ...answer });
}

function poll(answer: PollAnswer): Reply {
  return json({
    ...pollAnswer(answer),
    warnings: [{ code: 'SlowNode', message: 'A node is slow.', category: 'CLUSTER', classification: 'x' }],
    filterMatches: [],
    filesUsed: [],
  });
}

/** A stream of rows, with its chunks unchanged. */
export function rowStream(...body: readonly (string | Uint8Array)[]): Reply {
  const headers = { 'content-type': 'application/x-ndjson', 'humio-query-id': 'IQ-aB3dE5fG7hI9jK1lM3nO5pQ7' };
  return { status: 200, headers, body };
}

export function rows(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

export function graphql(data: object): Reply {
  return json({ data });
}

/** Errors have status 200. */
export function graphqlErrors(errors: readonly object[], data: object | null = null): Reply {
  return json({ data, errors });
}
