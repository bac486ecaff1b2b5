// A client that asks a server for its status all the time.
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
    // A connection that was idle for too long is closed: the ping took long all the same.
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
    // The first request loads code and connects.
    await (await fetch(`${url}/api/v1/status`)).text();
    pinging = ping(url);
  },
  stop() {
    isStopped = true;
    return pinging;
  },
});
