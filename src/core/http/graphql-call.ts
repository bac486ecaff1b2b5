import { type LogExceptionCode, LogHTTPException, LogOptionsException } from '../errors.ts';
import type { GraphqlAnswer, GraphqlError } from '../wire/graphql-answer.ts';
import type { RedactText } from './message-redactor.ts';
import { serviceIds, type WebResponse } from './web-response.ts';

/** Error messages, without underscores, because the service has no codes for these outcomes. */
const OUTCOMES: readonly (readonly [LogExceptionCode, RegExp])[] = [
  ['LOG_EXISTS', /\b(already exists|already in use|taken)\b/i],
  ['LOG_NOT_FOUND', /\b(not found|could not find|does not exist)\b/i],
  ['LOG_INVALID', /\b(invalid|malformed|bad user input|empty|too long)\b/i],
];

/** A GraphQL request: its parts, or the whole body as `data`. */
export interface GraphqlCall {
  /** GraphQL document. */
  query?: string | undefined;
  /** Values of its variables. */
  variables?: Readonly<Record<string, unknown>> | undefined;
  /** Operation to run, if the document has several. */
  operationName?: string | undefined;
  /** The whole body; can't be combined with other members. */
  data?: Readonly<{ query: string; [member: string]: unknown }> | undefined;
}

/** @throws LogOptionsException */
export function graphqlBody({ data, query, variables, operationName }: GraphqlCall): {
  readonly query: string;
} {
  if ((data === undefined) === (query === undefined)) {
    throw new LogOptionsException('callGraphql: pass either "query" (with optional "variables") or "data".');
  }
  return data ?? { query: query!, variables, operationName };
}

/**
 * Returns `data` of a GraphQL response.
 *
 * @throws LogHTTPException if the response has errors, which have status 200, or no data. Its code is that of the
 * errors if they agree on one, otherwise `LOG_GRAPHQL`.
 */
export async function graphqlData<T>(response: WebResponse, redactor: RedactText): Promise<T> {
  const { data, errors } = (await response.json<GraphqlAnswer<T> | null>()) ?? {};
  if (Array.isArray(errors) && errors.length > 0) {
    const [code, ...others] = new Set(errors.map(errorCode));
    throw exception(
      errors.map(errorText).join('; '),
      JSON.stringify(errors),
      others.length === 0 ? code : undefined,
    );
  }
  if (data === undefined || data === null) {
    throw exception('The GraphQL response has neither data nor errors.', response.excerpt?.() ?? '');
  }
  return data;

  function exception(reason: string, body: string, code: LogExceptionCode = 'LOG_GRAPHQL'): LogHTTPException {
    return new LogHTTPException(redactor(reason), {
      code,
      statusCode: response.statusCode,
      method: response.method,
      path: response.path,
      body: redactor(body).slice(0, 4_096),
      data,
      ...serviceIds(response),
    });
  }
}

/** Whether GraphQL itself says that something doesn't exist. A proxy without a route to it responds with 404. */
export function isMissing(error: unknown): error is LogHTTPException {
  return error instanceof LogHTTPException && error.code === 'LOG_NOT_FOUND' && error.statusCode === 200;
}

/** The message and its details, except for those that only repeat it, such as `name: not found`. */
function errorText(error: Partial<GraphqlError> | null): string {
  const { message = 'The service rejected a GraphQL request without a message', state } = error ?? {};
  const details = Object.entries(state ?? {}).filter(([, text]) => !/^(?:not )?\w+$/.test(text));
  if (details.length === 0) return message;
  return `${message} (${details.map(([field, text]) => `${field}: ${text}`).join(', ')})`;
}

/** Prefers the details: they are enum values, while messages can quote names and scripts. */
function errorCode(error: Partial<GraphqlError> | null): LogExceptionCode | undefined {
  const { message = '', state, extensions } = error ?? {};
  const details = Object.values({ ...extensions, ...state }).filter((value) => typeof value === 'string');
  return codeInText(details.join('\n')) ?? codeInText(message.replace(/"[^"]*"/g, ''));
}

function codeInText(text: string): LogExceptionCode | undefined {
  return OUTCOMES.find(([, pattern]) => pattern.test(text.replaceAll('_', ' ')))?.[0];
}
