import type { LocalServer } from '../../src/server/index.ts';
import { stepClock } from '../helpers/stepping-clock.ts';

/**
 * The number of other requests that are answered before the work is done, with a clock that advances by `stepMs` per
 * reading. Neither the requests nor the work may use a socket.
 */
export async function answeredDuring(
  work: () => Promise<unknown>,
  { fetch, url }: LocalServer,
  stepMs: number,
): Promise<number> {
  const clock = stepClock(stepMs);
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  let answered = 0;
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    await fetch(`${url}/api/v1/status`);
    if (isDone) break;
    answered++;
  }
  clock.mockRestore();
  await working;
  return answered;
}
