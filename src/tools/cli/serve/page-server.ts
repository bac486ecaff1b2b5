import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Accepts connections from this computer only. */
const HOST = '127.0.0.1';

/** A server of a web page. */
export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server. @throws Error with the error of the system as its cause if the port can't be used */
export function startPageServer(listener: RequestListener, port: number): Promise<PageServer> {
  const server = createServer(listener);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'it is in use' : cause.message;
      const advice = 'Set --port to another one; 0 picks a free one.';
      reject(new Error(`can't listen on port ${port}: ${reason}. ${advice}`, { cause }));
    });
    server.listen(port, HOST, () => {
      resolve({ url: `http://${HOST}:${(server.address() as AddressInfo).port}`, close });
    });
  });
}
