import { LogHTTPException, LogOptionsException } from '../errors.ts';
import type { GraphqlAnswer, GraphqlError } from '../wire/graphql.ts';
import type { Redactor } from './redactor.ts';
import type { WebResponse } from './web-response.ts';

/** A GraphQL request: its parts, or the whole body as `data`. */
export interface GraphqlCall {
  query?: string | undefined;
  variables?: Readonly<Record<string, unknown>> | undefined;
  operationName?: string | undefined;
  /** The whole body; excludes the other members. */
  data?: Readonly<{ query: string; [member: string]: unknown }> | undefined;
}

/** @throws LogOptionsException */
export function graphqlBody({ data, query, variables, operationName }: GraphqlCall): object {
  if ((data === undefined) === (query === undefined)) {
    throw new LogOptionsException('callGraphql: pass either "query" (with optional "variables") or "data".');
  }
  return data ?? { query, variables, operationName };
}

/**
 * Returns `data` of a GraphQL response.
 *
 * @throws LogHTTPException with the code `LOG_GRAPHQL` if the response has errors, which arrive with status 200, or no
 * data.
 */
export async function graphqlData<T>(response: WebResponse, redactor: Redactor): Promise<T> {
  const { data, errors } = (await response.json<GraphqlAnswer<T> | null>()) ?? {};
  if (Array.isArray(errors) && errors.length > 0) {
    throw exception(errors.map(errorText).join('; '), JSON.stringify(errors));
  }
  if (data === undefined || data === null) {
    throw exception('the response has neither data nor errors', '');
  }
  return data;

  function exception(reason: string, body: string): LogHTTPException {
    return new LogHTTPException(redactor.redact(`The service rejected the GraphQL request: ${reason}`), {
      code: 'LOG_GRAPHQL',
      statusCode: response.statusCode,
      method: response.method,
      path: response.path,
      body: redactor.redact(body).slice(0, 4_096),
    });
  }
}

function errorText(error: Partial<GraphqlError> | null): string {
  const { message = 'an error without a message', state } = error ?? {};
  const details = Object.entries(state ?? {}).map(([field, text]) => `${field}: ${text}`);
  return details.length === 0 ? message : `${message} (${details.join(', ')})`;
}
