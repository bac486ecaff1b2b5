import type {
  WorkerAnswer,
  WorkerContents,
  WorkerDemand,
  WorkerRequest,
} from '../../core/wire/worker-messages.ts';
import { type BrowserServer, openBrowserServer } from './browser-server.ts';

/** The browser API that the worker uses; the local server is compiled without browser types. */
interface Port {
  onmessage: ((message: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
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
  const answer = (message: WorkerAnswer): void => port.postMessage(message);
  const ending = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  const sendNext = async (): Promise<void> => {
    try {
      answer({ type: 'body', bytes: (await reader?.read())?.value });
    } catch {
      answer({ type: 'lost' });
    }
  };
  port.onmessage = ({ data }) => {
    if ((data as WorkerDemand) === 'more') return void sendNext();
    ending.abort();
    void reader?.cancel();
  };
  const request = new Request(`http://localhost${path}`, { method, headers, signal: ending.signal });
  const response = await respond(request, body, (bytes) => answer({ type: 'progress', bytes }));
  reader = response.body?.getReader() as typeof reader;
  answer({ type: 'head', status: response.status, headers: Object.fromEntries(response.headers) });
}
