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
  const common = commonFailure(error, response);
  if (common !== undefined) return common;
  if (![400, 401, 403].includes(error.statusCode)) return error;
  const client = `the API client ${clientId}`;
  const details = detailsOf(error);
  if (memberCid !== undefined && /member|customer|\bcid\b/i.test(error.body)) {
    const message = `The member CID ${memberCid} is unknown, or ${client} has no access to it${details}: check memberCid.`;
    return authenticationFailure(message, error);
  }
  const toCheck =
    memberCid === undefined ? 'clientId and clientSecret' : 'clientId, clientSecret and memberCid';
  const message = `The service rejected ${client}${details}: check ${toCheck}, and that the API client belongs to this cloud and allows this IP address.`;
  return authenticationFailure(message, error);
}

/** The same for a request with an access token. */
export function callFailure(
  error: LogHTTPException,
  response: WebResponse,
  { clientId }: ResolvedCredentials,
): LogHTTPException {
  const { statusCode } = error;
  const common = commonFailure(error, response);
  if (common !== undefined) return common;
  if (statusCode !== 401 && statusCode !== 403) return error;
  const details = detailsOf(error);
  const message =
    statusCode === 401
      ? `The service rejected a new access token of the API client ${clientId}${details}: check that baseUrl is the address of its cloud.`
      : `The API client ${clientId} lacks a permission${details}: give it the scopes NGSIEM Read and NGSIEM Write ${WHERE}.`;
  return authenticationFailure(message, error);
}

function commonFailure(error: LogHTTPException, response: WebResponse): LogHTTPException | undefined {
  const { statusCode, retryAfterMs } = error;
  if (statusCode >= 300 && statusCode < 400) {
    const target = regionOf(response) ?? response.header('location') ?? 'another address';
    const message = `The service redirected to ${redirectTarget(target)} (status ${statusCode}), where the credentials are not sent: set baseUrl to the API address of the cloud of the API client.`;
    return authenticationFailure(message, error);
  }
  if (statusCode !== 429) return undefined;
  const limit = response.header('x-ratelimit-limit');
  const rate = limit === undefined ? '' : ` of ${limit} requests per minute`;
  const after = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  const message = `The rate limit${rate} is exceeded (status 429): try again ${after}, or send fewer requests.`;
  return new LogHTTPException(message, { ...error });
}

/** ` (status 403: access denied)` */
function detailsOf({ statusCode, body }: LogHTTPException): string {
  const reason = /^\s*</.test(body)
    ? ''
    : reasonInBody(body)
        .replace(/[.\s]+$/, '')
        .slice(0, 300);
  return ` (status ${statusCode}${reason === '' ? '' : `: ${reason}`})`;
}

function authenticationFailure(message: string, error: LogHTTPException): LogHTTPException {
  return new LogHTTPException(message, { ...error, code: 'LOG_AUTHENTICATION' });
}
