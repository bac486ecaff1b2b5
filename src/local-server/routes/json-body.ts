import type { Context } from 'hono';
import { isJsonObject } from '../../internal/json-object.ts';
import { malformed } from '../http/http-error.ts';
import { readText } from '../http/request-body.ts';

/**
 * The body of a request, which must be a JSON object.
 *
 * @throws HttpError 400 when it is anything else, 413 when it is too large.
 */
export async function readJsonObject(
  context: Context,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  let body: unknown;
  try {
    body = JSON.parse(await readText(context, maxBytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) throw malformed(error.message);
    throw error;
  }
  if (isJsonObject(body)) return body as Record<string, unknown>;
  throw malformed('Expected a JSON object.');
}
