import { LogHTTPException } from '../errors.ts';
import type { GraphqlCallOptions, WebCaller } from '../web/web-caller.ts';

/**
 * Asks by GraphQL, and takes out of the answer what the service always gives.
 *
 * @param name where it is, such as `createView` or `createSavedQuery.savedQuery`.
 * @throws LogHTTPException with the code `LOG_BAD_ANSWER` if it is not there, for something else than the service can
 * answer, too.
 */
export async function graphqlPart<Part>(
  webCaller: WebCaller,
  name: string,
  call: GraphqlCallOptions,
): Promise<Part> {
  return partOf<Part>(webCaller, await webCaller.callGraphql(call), name);
}

/** The same for a list of objects. @throws LogHTTPException with the code `LOG_BAD_ANSWER` */
export async function graphqlList<Item>(
  webCaller: WebCaller,
  name: string,
  call: GraphqlCallOptions,
): Promise<Item[]> {
  return listOf<Item>(webCaller, await webCaller.callGraphql(call), name);
}

/** What is at this place of an answer, or of a part of one. @throws LogHTTPException with the code `LOG_BAD_ANSWER` */
export function partOf<Part>(webCaller: WebCaller, answer: unknown, name: string): Part {
  let part = answer;
  for (const member of name.split('.')) {
    part = (part as Readonly<Record<string, unknown>>)[member];
    if (part === undefined || part === null) throw badAnswer(webCaller, `has no "${name}"`);
  }
  return part as Part;
}

/** @throws LogHTTPException with the code `LOG_BAD_ANSWER` unless it is a list of objects. */
export function listOf<Item>(webCaller: WebCaller, answer: unknown, name: string): Item[] {
  const list = partOf<unknown>(webCaller, answer, name);
  if (isList(list)) return list as Item[];
  throw badAnswer(webCaller, `has a "${name}" that is not a list of objects`);
}

export function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

function badAnswer({ baseUrl }: WebCaller, problem: string): LogHTTPException {
  const path = new URL('graphql', baseUrl).pathname;
  return new LogHTTPException(`The response to POST ${path} ${problem}.`, {
    code: 'LOG_BAD_ANSWER',
    statusCode: 200,
    method: 'POST',
    path,
  });
}
