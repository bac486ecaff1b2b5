import { setTimeout as wait } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { abortable } from '../../core/abortable.ts';
import { onAbort } from '../../core/on-abort.ts';
import { type Connection, connectionLost, incomingChunks } from '../environment.ts';
import type { Fault } from '../faults/fault.ts';
import { scriptedAnswer } from '../http/body-script.ts';
import { bodyStream, withBody } from '../http/body-stream.ts';
import { cutAfter, paced } from './slow-body.ts';

/** A request with a fault. */
export interface Scene {
  readonly request: Request;
  readonly connection: Connection | undefined;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  /** Aborts when the client disconnects or the server closes. */
  readonly end: AbortSignal;
  /** The response without the fault. */
  readonly answer: () => Promise<Response>;
}

/** The response with the fault; {@link RESPONSE_ALREADY_SENT} if the connection was dropped. */
export async function playFault(fault: Fault, scene: Scene): Promise<Response> {
  const { connection, closing, end } = scene;
  if (fault.delayMs !== undefined) {
    await abortable(wait(fault.delayMs, undefined, { ref: false }), closing).catch(() => {});
  }
  if (fault.hang === true) await new Promise<void>((resolve) => void onAbort(end, resolve));
  if (fault.reset === 'inBody') await readBytes(scene, fault.resetAfterBytes);
  if (fault.reset === 'afterBody') await readBytes(scene, Number.POSITIVE_INFINITY);
  if (fault.hang === true || (fault.reset !== undefined && fault.reset !== 'afterStore')) {
    return cut(connection);
  }
  let response = fault.status === undefined ? await scene.answer() : scriptedAnswer(fault, fault.status);
  const brokeOff = fault.uploadBytesPerSecond !== undefined && end.aborted;
  if (fault.reset === 'afterStore' || brokeOff) {
    await response.body?.cancel();
    return cut(connection);
  }
  if (fault.notDone === true) response = await asNotDone(response);
  const { dripBytesPerSecond, cutAfterBytes } = fault;
  if (response.body === null) return response;
  if (dripBytesPerSecond === undefined && cutAfterBytes === undefined) return response;
  const chunks = response.body as unknown as AsyncIterable<Uint8Array>;
  const slow = paced(chunks, dripBytesPerSecond ?? Number.POSITIVE_INFINITY, end);
  const body = cutAfterBytes === undefined ? slow : cutAfter(slow, cutAfterBytes);
  return withBody(response, bodyStream(body, { connection }));
}

function cut(connection: Connection | undefined): Response {
  if (connection === undefined) throw connectionLost();
  connection.reset();
  return RESPONSE_ALREADY_SENT;
}

/** Reads and ignores this many bytes of the request's body, or half of it. */
async function readBytes({ request, connection }: Scene, bytes?: number): Promise<void> {
  // Without a length, the first bytes are enough.
  let left = bytes ?? Number(request.headers.get('content-length') ?? 0) / 2;
  try {
    for await (const chunk of incomingChunks(request, connection)) {
      left -= chunk.byteLength;
      if (left <= 0) return;
    }
  } catch {
    // The client was faster in leaving.
  }
}

async function asNotDone(response: Response): Promise<Response> {
  if (response.headers.get('content-type') !== 'application/json') return response;
  const body = (await response.json()) as { metaData?: object };
  if (body.metaData === undefined) return Response.json(body, { status: response.status });
  const metaData = { ...body.metaData, eventCount: 0, resultBufferSize: 0, pollAfter: 20 };
  return Response.json({ ...body, done: false, events: [], metaData });
}
