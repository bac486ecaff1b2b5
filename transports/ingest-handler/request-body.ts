import type { HandlerRequest } from './http-message.ts';
import { Rejection } from './rejection.ts';

const CONTENT_TYPES = ['application/json', 'text/plain'];

/**
 * Reads the body of a request.
 *
 * @throws Rejection if it is larger than `maxBytes` or not JSON. The rest of a large body is not read.
 */
export async function readJson(request: HandlerRequest, maxBytes: number): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === undefined || !CONTENT_TYPES.includes(type)) {
    throw new Rejection(415, 'invalid', `The content type must be ${CONTENT_TYPES.join(' or ')}.`);
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const text = await readText(request, maxBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new Rejection(400, 'invalid', 'The body is not JSON.');
  }
}

async function readText({ body }: HandlerRequest, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw new Rejection(400, 'invalid', 'The request ended before its body was complete.');
  }
  return Buffer.concat(chunks).toString();
}

function tooLarge(maxBytes: number): Rejection {
  return new Rejection(413, 'tooLarge', `The body is larger than ${maxBytes} bytes.`);
}
