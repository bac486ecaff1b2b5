import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems pick for port 0, so no other test's server gets one of them. */
const [FIRST, COUNT] = [15_000, 15_000];

/** A port of this machine that stays without a listener until the test opens one. */
export async function closedPort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * COUNT);
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return closedPort();
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}
