// The program that asks the local server.
import { LogClient } from 'logclient';
import { STORED_SPAN_MS } from '../record.mjs';
import { answer } from './answers.mjs';

let client;
let interval;

const firstValue = (row) => Number(Object.values(row ?? {})[0]);

answer({
  open({ url, repository, userToken, endsAt }) {
    // With the end itself in it there would be one bucket more, an empty one.
    interval = { start: endsAt - STORED_SPAN_MS, end: endsAt - 1 };
    client = new LogClient({ baseUrl: url, repository, userToken });
  },
  /** As a stream: nobody has to guess when the result is ready. */
  async query({ lql }) {
    const start = performance.now();
    const rows = [];
    for await (const row of client.streamingQuery(lql, interval)) rows.push(row);
    return { ms: performance.now() - start, rows: rows.length, value: firstValue(rows[0]) };
  },
});
