import { createServer } from 'node:net';
import { writeNote } from '../../output/standard-output.ts';
import { DEFAULT_PORTS } from './default-ports.ts';

/**
 * Starts a server on a port, or on the first free one. Reports the port on stderr if it isn't the first in the list.
 *
 * @throws Error if all ports are in use, and any other error of `start`
 */
export async function startOnPort<Server extends object>(
  chosen: number | undefined,
  start: (port: number) => Promise<Server>,
  ports: readonly number[] = DEFAULT_PORTS,
): Promise<Server> {
  if (chosen !== undefined) return start(chosen);
  for (const port of ports) {
    // Another program can start using the port after the check.
    const unlessInUse = async (error: Error): Promise<undefined> => {
      if (!isInUse(error.cause)) throw error;
    };
    const server = (await isFree(port)) ? await start(port).catch(unlessInUse) : undefined;
    if (server === undefined) continue;
    if (port !== ports[0]) writeNote(`logclient: port ${ports[0]} is in use; listening on ${port}.`);
    return server;
  }
  throw new Error(
    `ports ${ports[0]} to ${ports.at(-1)} are in use. Set --port to another one; 0 picks a free one.`,
  );
}

/** Listens on all addresses, because 127.0.0.1 can be free while another program uses the port on `::`. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(!isInUse(error)));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

function isInUse(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}
