import type { WorkerAnswer, WorkerDemand, WorkerRequest } from '../../core/wire/worker-messages.ts';

/** What an upload reports: unlike `fetch`, how much of a file was read. */
export interface UploadInit extends RequestInit {
  readonly onProgress?: (bytes: number) => void;
}

/**
 * A `fetch` whose requests a worker answers, below a base URL.
 *
 * @param ready Requests wait until this resolves.
 */
export function workerFetch(worker: Worker, baseUrl: string, ready: Promise<unknown>): typeof fetch {
  return async (input, init: UploadInit = {}) => {
    const { method = 'GET', headers, body, signal, onProgress } = init;
    signal?.throwIfAborted();
    await ready;
    const path = `/${String(input).slice(baseUrl.length)}`;
    const request: WorkerRequest = {
      method,
      path,
      headers: [...new Headers(headers)],
      body:
        typeof body === 'string' || body instanceof Blob
          ? body
          : body instanceof Uint8Array
            ? new Blob([body as Uint8Array<ArrayBuffer>])
            : '',
    };
    const { port1: port, port2 } = new MessageChannel();
    worker.postMessage(request, [port2]);
    return new Promise((resolve, reject) => {
      const lost = new TypeError('The server in this page has stopped responding.');
      let fail: (reason: unknown) => void = reject;
      let received = (_: Uint8Array<ArrayBuffer> | undefined): void => {};
      const cancel = (reason: unknown): void => {
        send(port, 'cancel');
        port.close();
        fail(reason);
      };
      signal?.addEventListener('abort', () => cancel(signal.reason), { once: true });
      port.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
        if (data.type === 'progress') onProgress?.(data.bytes);
        else if (data.type === 'lost') fail(lost);
        else if (data.type === 'body') received(data.bytes);
        else {
          const { readable, controller } = responseBody(port, cancel);
          fail = (reason) => controller.error(reason);
          received = (bytes) => (bytes === undefined ? end(port, controller) : controller.enqueue(bytes));
          const isEmpty = [204, 205, 304].includes(data.status);
          resolve(
            new Response(isEmpty ? null : readable, {
              status: data.status,
              headers: [...data.headers] as [string, string][],
            }),
          );
        }
      };
    });
  };
}

interface Body {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
}

/** A body that asks for its next chunk when it is read. */
function responseBody(port: MessagePort, cancel: (reason: unknown) => void): Body {
  let controller: Body['controller'] | undefined;
  const readable = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(created) {
        controller = created;
      },
      pull: () => send(port, 'more'),
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { readable, controller: controller! };
}

function end(port: MessagePort, controller: Body['controller']): void {
  controller.close();
  port.close();
}

function send(port: MessagePort, demand: WorkerDemand): void {
  port.postMessage(demand);
}
