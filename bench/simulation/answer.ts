import { type LogException, LogTimeoutException } from '../../src/core/errors.ts';
import { toHttpException } from '../../src/core/http/http-error.ts';
import { messageRedactor } from '../../src/core/http/message-redactor.ts';
import { requestException } from '../../src/core/http/node/request-exception.ts';

/**
 * What a request meets: `ok`, a status, a status with `Retry-After` in seconds (`503+5`), a connection that is refused,
 * reset, or hangs, or one that is lost after the service has stored the records.
 */
export type Answer = 'ok' | 'refused' | 'reset' | 'hang' | 'lost' | `${number}` | `${number}+${number}`;

const REQUEST = {
  method: 'POST',
  path: '/ingest',
  host: 'logscale.example.com',
  source: 'baseUrl',
  redactor: messageRedactor([]),
  proxy: undefined,
  acceptsCa: true,
};

const CODES: Partial<Record<Answer, string>> = {
  refused: 'ECONNREFUSED',
  reset: 'ECONNRESET',
  lost: 'ECONNRESET',
};

const exceptions = new Map<Answer, LogException>();

/** The exception that the real caller throws. */
export function exceptionFor(answer: Answer): LogException {
  const exception = exceptions.get(answer) ?? createException(answer);
  exceptions.set(answer, exception);
  return exception;
}

export function timeoutAfter(timeoutMs: number): LogException {
  return new LogTimeoutException(`POST /ingest took longer than ${timeoutMs} ms.`, timeoutMs);
}

/** The pause that an answer asks for, in milliseconds. */
export function retryAfterOf(answer: Answer): number {
  return Number(answer.split('+')[1] ?? 0) * 1_000;
}

function createException(answer: Answer): LogException {
  const code = CODES[answer];
  if (code !== undefined) return requestException(Object.assign(new Error(answer), { code }), REQUEST);
  const [status, retryAfter] = answer.split('+');
  const header = (name: string) => (name === 'retry-after' ? retryAfter : undefined);
  return toHttpException({ statusCode: Number(status), header }, '', REQUEST);
}
