import { reasonInBody } from '../../core/http/http-error.ts';
import { tryOr } from '../../core/try-or.ts';
import type { FailedOutcome, SendOutcome } from './sender.ts';

/** The response of an event collector, such as `{"text":"Invalid data format","code":6,"invalid-event-number":3}`. */
interface HecResponse {
  readonly code: number;
  /** Index of the first event that was not accepted. */
  readonly 'invalid-event-number'?: unknown;
}

/** No data, invalid data format, event required, event blank, invalid fields. */
const EVENT_CODES: readonly number[] = [5, 6, 12, 13, 15];

const INCORRECT_INDEX = 7;

const MAX_REASON_LENGTH = 600;

/** The token, or indexer acknowledgment, which needs a channel: the same for all records. */
const TOKEN_CODES: readonly number[] = [1, 2, 3, 4, 10, 11, 14, 16, 21, 22];

/** The outcome of a successful response without secrets, which is a failure if its code is not zero. */
export function classifyHecBody(body: string): SendOutcome {
  const response = parseResponse(body);
  if (response === undefined || response.code === 0) return { kind: 'delivered' };
  const text = reasonInBody(body).slice(0, MAX_REASON_LENGTH);
  const reason = `The event collector responded with code ${response.code}: ${text}`;
  const isRejection = EVENT_CODES.includes(response.code) || adviceFor(response.code) !== undefined;
  return isRejection ? classifyResponse(response, reason) : { kind: 'retryable', reason };
}

export function classifyHecRejection(body: string, reason: string, error: unknown): FailedOutcome {
  return { ...classifyResponse(parseResponse(body), reason), error };
}

function classifyResponse(response: HecResponse | undefined, reason: string): FailedOutcome {
  const advice = adviceFor(response?.code);
  if (advice !== undefined) return { kind: 'retryable', reason, needsAttention: true, advice };
  const invalid = response?.['invalid-event-number'];
  const invalidRecord = typeof invalid === 'number' ? invalid : undefined;
  return { kind: 'rejected', statusCode: 400, invalidRecord, reason };
}

/** What to do about a code that does not depend on the records. */
function adviceFor(code = 0): string | undefined {
  if (code === INCORRECT_INDEX) return 'Check "index" and the allowed indexes of the token.';
  if (TOKEN_CODES.includes(code)) return 'Check the token, and turn off its indexer acknowledgment.';
  return undefined;
}

/** @returns `undefined` for the body of another service. */
function parseResponse(body: string): HecResponse | undefined {
  const response = tryOr(undefined, () => JSON.parse(body));
  return typeof response?.code === 'number' ? response : undefined;
}
