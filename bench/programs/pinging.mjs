// A client that continuously requests the status of a server.
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from './answers.mjs';

const PAUSE_MS = 5;

let isStopped = false;
let pinging;

async function ping(url) {
  let pings = 0;
  let longestMs = 0;
  while (!isStopped) {
    const start = performance.now();
    // This fails if the server has closed an idle connection; the elapsed time still counts.
    await fetch(`${url}/api/v1/status`).then(
      (response) => response.text(),
      () => {},
    );
    longestMs = Math.max(longestMs, performance.now() - start);
    pings++;
    await sleep(PAUSE_MS);
  }
  return { pings, longestMs };
}

answer({
  async start({ url }) {
    // Not measured: the first request loads code and connects.
    await (await fetch(`${url}/api/v1/status`)).text();
    pinging = ping(url);
  },
  stop() {
    isStopped = true;
    return pinging;
  },
});
