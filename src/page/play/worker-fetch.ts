import type { WorkerAnswer, WorkerDemand, WorkerRequest } from '../../core/wire/worker-messages.ts';

/** What an upload reports: unlike `fetch`, how much of a file was read. */
export interface UploadInit extends RequestInit {
  readonly onProgress?: (bytes: number) => void;
}

/** Responses with these statuses can't have a body. */
const WITHOUT_BODY = [204, 205, 304];

/** A `fetch` whose requests a worker answers, below a base URL. */
export function workerFetch(worker: Worker, baseUrl: string): typeof fetch {
  return (input, { method = 'GET', headers, body, signal, onProgress }: UploadInit = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const { port1: port, port2 } = new MessageChannel();
      const demand = (wanted: WorkerDemand): void => port.postMessage(wanted);
      const cancel = (): void => {
        demand('cancel');
        port.close();
      };
      let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          start(created) {
            controller = created;
          },
          pull: () => demand('more'),
          cancel,
        },
        { highWaterMark: 0 },
      );
      const fail = (reason: unknown): void => {
        controller.error(reason);
        reject(reason);
      };
      signal?.addEventListener('abort', () => {
        cancel();
        fail(signal.reason);
      });
      port.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
        if (data.type === 'progress') onProgress?.(data.bytes);
        else if (data.type === 'lost') fail(new TypeError('The server in this page has stopped responding.'));
        else if (data.type === 'head')
          resolve(new Response(WITHOUT_BODY.includes(data.status) ? null : stream, data));
        else if (data.bytes !== undefined) controller.enqueue(data.bytes);
        else {
          controller.close();
          port.close();
        }
      };
      const request: WorkerRequest = {
        method,
        path: `/${String(input).slice(baseUrl.length)}`,
        headers: Object.fromEntries(new Headers(headers)),
        body: (body ?? '') as WorkerRequest['body'],
      };
      worker.postMessage(request, [port2]);
    });
}
