import { once } from 'node:events';
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
export async function startPageServer(listener: RequestListener, port: number): Promise<PageServer> {
  const server = createServer(listener);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  try {
    await once(server.listen(port, HOST), 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'it is in use' : message;
    const advice = 'Set --port to another one; 0 picks a free one.';
    throw new Error(`can't listen on port ${port}: ${reason}. ${advice}`, { cause });
  }
  return { url: `http://${HOST}:${(server.address() as AddressInfo).port}`, close };
}
