import { LogHTTPException } from '../../errors.ts';
import { reasonInBody, redirectTarget } from '../http-error.ts';
import type { WebResponse } from '../web-response.ts';
import type { ResolvedCredentials } from './client-credentials.ts';
import { regionOf } from './clouds.ts';

const WHERE = 'in the Falcon console, under Support and resources > API clients and keys';

/** The exception for a failed token request: one sentence that says what to do. */
export function tokenFailure(
  error: LogHTTPException,
  response: WebResponse,
  { clientId, memberCid }: ResolvedCredentials,
): LogHTTPException {
  return failureOf(error, response, [400, 401, 403], (details) => {
    const client = `the API client ${clientId}`;
    if (memberCid !== undefined && /member|customer|\bcid\b/i.test(error.body)) {
      return `The member CID ${memberCid} is unknown, or ${client} has no access to it${details}: check memberCid.`;
    }
    const toCheck =
      memberCid === undefined ? 'clientId and clientSecret' : 'clientId, clientSecret and memberCid';
    return `The service rejected ${client}${details}: check ${toCheck}, and that the API client belongs to this cloud and allows this IP address.`;
  });
}

/** The same for a request with an access token. */
export function callFailure(
  error: LogHTTPException,
  response: WebResponse,
  { clientId }: ResolvedCredentials,
): LogHTTPException {
  return failureOf(error, response, [401, 403], (details) =>
    error.statusCode === 401
      ? `The service rejected a new access token of the API client ${clientId}${details}: check that baseUrl is the address of its cloud.`
      : `The API client ${clientId} lacks a permission${details}: give it the scopes NGSIEM Read and NGSIEM Write ${WHERE}.`,
  );
}

/** @param message for one of the statuses with which the service rejects credentials */
function failureOf(
  error: LogHTTPException,
  response: WebResponse,
  rejections: readonly number[],
  message: (details: string) => string,
): LogHTTPException {
  const { statusCode, retryAfterMs } = error;
  if (rejections.includes(statusCode)) return authenticationFailure(message(detailsOf(error)), error);
  if (statusCode >= 300 && statusCode < 400) {
    const target = regionOf(response) ?? response.header('location') ?? 'another address';
    const redirect = `The service redirected to ${redirectTarget(target)} (status ${statusCode}), where the credentials are not sent: set baseUrl to the API address of the cloud of the API client.`;
    return authenticationFailure(redirect, error);
  }
  if (statusCode !== 429) return error;
  const limit = response.header('x-ratelimit-limit');
  const rate = limit === undefined ? '' : ` of ${limit} requests per minute`;
  const after = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  return new LogHTTPException(
    `The rate limit${rate} is exceeded (status 429): try again ${after}, or send fewer requests.`,
    { ...error },
  );
}

/** ` (status 403: access denied)` */
function detailsOf({ statusCode, body }: LogHTTPException): string {
  const reason = reasonInBody(body)
    .replace(/[.\s]+$/, '')
    .slice(0, 300);
  return ` (status ${statusCode}${reason === '' ? '' : `: ${reason}`})`;
}

function authenticationFailure(message: string, error: LogHTTPException): LogHTTPException {
  return new LogHTTPException(message, { ...error, code: 'LOG_AUTHENTICATION' });
}
