/** The local server in a web worker, for the playground. */
import type { WorkerAnswer, WorkerDemand, WorkerRequest } from '../../core/wire/worker-messages.ts';
import { useHashing } from '../../engine/index.ts';
import { useTurns } from '../event-loop.ts';
import { type BrowserServer, openBrowserServer } from './browser-server.ts';
import { nobleHashing } from './noble-hashing.ts';
import { PageConnection } from './page-connection.ts';

/** The browser API that the worker uses; the local server is compiled without browser types. */
interface Port {
  onmessage: ((message: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: readonly object[]): void;
}

const scope = globalThis as unknown as {
  onmessage: (message: { readonly data: WorkerRequest; readonly ports: readonly [Port] }) => void;
};

/** Requests that wait for their turn run in between, but a timer would wait for 4 ms. */
function messageTurns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel() as unknown as { port1: Port; port2: Port };
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}

useHashing(nobleHashing);
useTurns(messageTurns());
const server = openBrowserServer({ repository: 'checkout' });
scope.onmessage = ({ data, ports: [port] }) => void serve(server, data, port);

async function serve(
  { respond }: BrowserServer,
  { method, path, headers, body }: WorkerRequest,
  port: Port,
): Promise<void> {
  const answer = (message: WorkerAnswer, transfer: readonly object[] = []): void =>
    port.postMessage(message, transfer);
  const connection = new PageConnection({
    body,
    onProgress: (bytes) => answer({ type: 'progress', bytes }),
    onLost: () => answer({ type: 'lost' }),
  });
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  port.onmessage = ({ data }) => {
    if ((data as WorkerDemand) === 'more') return void sendNext();
    connection.close();
    void reader?.cancel();
  };
  const sendNext = async (): Promise<void> => {
    try {
      const bytes = (await reader?.read())?.value;
      if (bytes === undefined) connection.close();
      answer({ type: 'body', bytes }, bytes === undefined ? [] : [bytes.buffer]);
    } catch {
      answer({ type: 'lost' });
    }
  };
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: new Headers([...headers] as [string, string][]),
  });
  const response = await respond(request, connection);
  reader = response.body?.getReader() as typeof reader;
  answer({ type: 'head', status: response.status, headers: [...response.headers] });
}
