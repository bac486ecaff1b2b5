import { type PollAnswer, pollAnswer } from '../helpers/query-answers.ts';
import type { Reply } from './service-script.ts';

/** Answers in the forms in which the service gives them. */

const JSON_HEADERS = { 'content-type': 'application/json' };

export function json(value: unknown, status = 200): Reply {
  return { status, headers: JSON_HEADERS, body: [JSON.stringify(value)] };
}

/** How the service reports its errors, whatever the request accepts. */
export function textError(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers }, body: [text] };
}

export const NOTHING: Reply = { status: 204, headers: {}, body: [] };

/** A page of something between the client and the service. */
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

/** The first polls of a job: no events, no work done, members that we know nothing of. */
export function runningPoll(metaData: { pollAfter: unknown } = { pollAfter: 2_797 }): Reply {
  return poll({ done: false, metaData: { ...metaData, queuedMillis: 3, responderVHost: 2 } });
}

/** The result of a job that is done. */
export function donePoll(events: readonly object[], answer: PollAnswer = {}): Reply {
  return poll({ pollAfter: 19_706, events, ...answer });
}

/** What a live job says each time: the whole result. */
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

/** A stream of rows, each piece as it is. */
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

/** Errors come with status 200. */
export function graphqlErrors(errors: readonly object[], data: object | null = null): Reply {
  return json({ data, errors });
}
