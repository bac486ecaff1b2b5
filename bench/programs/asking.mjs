// The program that queries the local server.
import { LogClient } from 'logclient';
import { STORED_SPAN_MS } from '../record.mjs';
import { answer } from './answers.mjs';

let client;
let interval;

const firstValue = (row) => Number(Object.values(row ?? {})[0]);

answer({
  open({ url, repository, userToken, endsAt }) {
    // Ends 1 ms early: including `endsAt` would add an empty bucket.
    interval = { start: endsAt - STORED_SPAN_MS, end: endsAt - 1 };
    client = new LogClient({ baseUrl: url, repository, userToken });
  },
  /** Uses a streaming query, because a query job would have to be polled. */
  async query({ lql }) {
    const start = performance.now();
    const rows = [];
    for await (const row of client.streamingQuery(lql, interval)) rows.push(row);
    return { ms: performance.now() - start, rows: rows.length, value: firstValue(rows[0]) };
  },
});
