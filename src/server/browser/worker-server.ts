import type {
  WorkerAnswer,
  WorkerContents,
  WorkerDemand,
  WorkerRequest,
} from '../../core/wire/worker-messages.ts';
import { type BrowserServer, openBrowserServer } from './browser-server.ts';
import { PageConnection } from './page-connection.ts';

/** The browser API that the worker uses; the local server is compiled without browser types. */
interface Port {
  onmessage: ((message: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: readonly object[]): void;
}

interface WorkerScope {
  readonly name: string;
  onmessage: (message: { readonly data: WorkerRequest; readonly ports: readonly [Port] }) => void;
}

/** Runs in a web worker, whose name says what the server starts with. */
export function serveWorker(): void {
  const scope = globalThis as unknown as WorkerScope;
  const server = openBrowserServer(JSON.parse(scope.name) as WorkerContents);
  scope.onmessage = ({ data, ports: [port] }) => void serve(server, data, port);
}

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
