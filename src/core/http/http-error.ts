import { textOfChunks } from '../bytes.ts';
import { cutAtWord } from '../cut-at-word.ts';
import { LogException, LogHTTPException } from '../errors.ts';
import { shortenText } from '../shorten-text.ts';
import { tryOr } from '../try-or.ts';
import { proxyAuthenticationSentence } from './proxy-error.ts';
import { retryAfterOf } from './retry-after.ts';
import { type SentRequest, serviceIds, type WebResponse } from './web-response.ts';

/** Maximum bytes of an error's body to read, and characters to keep. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_EXCERPT_LENGTH = 4_096;
const MAX_MESSAGE_LENGTH = 600;
const MAX_TARGET_LENGTH = 200;

/** How nginx, Go and Apache respond to plain HTTP on a port that expects TLS. */
const TLS_EXPECTED =
  /plain HTTP request was sent to HTTPS port|sent an HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled/i;

/** These come from a proxy or a wrong address if they have a web page. */
const PAGE_STATUSES: readonly number[] = [400, 404, 405, 422];

/** An API path before that of the request, which belongs to the address. */
const API_PATH_IN_ADDRESS =
  /\/(?:api\/v1|services\/collector)(?:\/[^?]*)?(?=\/(?:api\/v1|graphql|services\/collector)(?:\/|$))/;

/** What a local server says about a path with a prefix, before it lists its paths. */
const WRONG_PREFIX = /(?<=There is no [A-Z]+ (\/(?!api\/|services\/)\S+?)\/(?:api|services)\/\S+\.)\n.*/s;

/** A response without its body. */
export type AnswerHead = Pick<WebResponse, 'statusCode' | 'header'>;

/** Whether a response is an error, even with a successful status: the API never responds with HTML. */
export function isErrorAnswer(response: AnswerHead): boolean {
  return response.statusCode < 200 || response.statusCode > 299 || isHtml(response);
}

/** Converts an error response to an exception. */
export function toHttpException(
  response: AnswerHead,
  bodyText: string,
  request: Omit<SentRequest, 'deadline'>,
): LogHTTPException {
  const { statusCode } = response;
  const { method, path, source, redactor } = request;
  const location = response.header('location');
  const retryAfterMs = retryAfterOf(response);
  const body = redactor(bodyText);
  const what = `${method} ${request.host}${path}`;
  const details = {
    statusCode,
    method,
    path,
    body: body.slice(0, MAX_EXCERPT_LENGTH),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...serviceIds(response, path),
  };
  const wrongAddress = (message: string): LogHTTPException =>
    new LogHTTPException(message, { ...details, code: 'LOG_WRONG_BASE_URL' });
  if (statusCode === 407 && request.proxy !== undefined) {
    return new LogHTTPException(proxyAuthenticationSentence(request.proxy), details);
  }
  if (statusCode >= 300 && statusCode <= 399) {
    const target = redirectTarget(redactor(location ?? ''));
    const leadsTo = target === '' ? '' : ` to ${target}`;
    return wrongAddress(
      `${what} returned a redirect (status ${statusCode})${leadsTo}. Redirects are not followed, to avoid leaking the token: set ${source} to the final address of the service.`,
    );
  }
  if (statusCode === 400 && TLS_EXPECTED.test(body)) {
    return wrongAddress(
      `${request.host} expects TLS on this port (status 400). Use https:// instead of http:// in ${source}.`,
    );
  }
  const isAddress = statusCode === 404 || statusCode === 405;
  const repeated = isAddress ? API_PATH_IN_ADDRESS.exec(path)?.[0] : undefined;
  if (repeated !== undefined) {
    return wrongAddress(
      `${what} failed with status ${statusCode}. Remove "${repeated}" from the end of ${source}.`,
    );
  }
  if ((isHtml(response) || isPage(body)) && (statusCode < 300 || PAGE_STATUSES.includes(statusCode))) {
    return wrongAddress(
      `${request.host} responded to ${method} ${path} with a web page (status ${statusCode}) instead of an API response. Check ${source} and its path prefix.`,
    );
  }
  const reason = reasonOf(response, body);
  const message = `${what} failed with status ${statusCode}${reason}`;
  const wait = retryAfterMs && `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
  const advice = wait || tokenAdvice(statusCode, path);
  return new LogHTTPException(
    advice === undefined ? message : `${message.replace(/[^.!?]$/, '$&.')} ${advice}`,
    statusCode === 404 ? { ...details, code: 'LOG_NOT_FOUND' } : details,
  );
}

/** Which token a request needs. Event collectors have other advice. */
function tokenAdvice(statusCode: number, path: string): string | undefined {
  const isIngest = /\/ingest\/humio-/.test(path);
  if (!isIngest && /\/(ingest|services)\//.test(path)) return undefined;
  if (statusCode === 401)
    return isIngest
      ? 'Check the token (ingestToken, LOGSCALE_INGEST_TOKEN): an ingest token, from Settings > Ingest tokens of the repository.'
      : 'Check the token (userToken, LOGSCALE_TOKEN or LOGSCALE_API_TOKEN): a user token, from Manage your account > API token.';
  if (statusCode !== 403 || !/\/(ingest|queryjobs|query|graphql|users|files)(\/|$)/.test(path))
    return undefined;
  return isIngest
    ? 'If this is a user token, use an ingest token: user tokens can only send events to a named repository.'
    : 'If this is an ingest token, use a user token: ingest tokens can only send events.';
}

function isHtml(response: AnswerHead): boolean {
  return /^(text\/html|application\/xhtml)/i.test(response.header('content-type') ?? '');
}

/** Whether a body is a web page. Not every proxy sends a content type. */
export function isPage(body: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(body);
}

/** The target of a redirect, for messages: without credentials and query string, and cut. */
export function redirectTarget(location: string): string {
  const address = location.split(/[?#]/, 1)[0]!;
  return address.replace(/\/\/[^/]*@/, '//').slice(0, MAX_TARGET_LENGTH);
}

function reasonOf(response: AnswerHead, body: string): string {
  const text = (isHtml(response) ? '' : reasonInBody(body)).replace(
    WRONG_PREFIX,
    ' Add or remove the path prefix "$1" of the address.',
  );
  if (text === '') return '.';
  return `: ${shortenText(text, MAX_MESSAGE_LENGTH)}`;
}

/** The message in the body of an error; empty if there is none: HTML and XML are from a proxy. */
export function reasonInBody(body: string): string {
  return /^\s*</.test(body) ? '' : (jsonReason(body) ?? body).trim();
}

/** Gateways respond with JSON: `{"detail": "…"}`, `{"errors": [{"message": "…"}]}`, `{"text": "…"}`. */
function jsonReason(body: string): string | undefined {
  return tryOr(undefined, () => {
    const { detail, message, error, errors, text } = JSON.parse(body) as Record<string, unknown>;
    const listed = Array.isArray(errors) ? errors.map(errorText).filter((text) => text !== undefined) : [];
    if (listed.length > 0) return listed.join('; ');
    return [detail, message, error, text].find((reason) => typeof reason === 'string');
  });
}

function errorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : undefined;
}

/**
 * Reads the start of an error's body and closes the connection. Even if the body is incomplete, the status is known. Only
 * the caller's abort is rethrown.
 */
export async function readExcerpt(response: WebResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MAX_BODY_BYTES) break;
    }
  } catch (error) {
    // The body is incomplete, too slow, or can't be decompressed.
    if (!(error instanceof LogException)) throw error;
  }
  const text = textOfChunks(chunks);
  return size < MAX_BODY_BYTES ? text : cutAtWord(text, text.length - 1);
}
