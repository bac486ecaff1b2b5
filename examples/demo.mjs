// An end-to-end demo that needs no account: two apps log to a local server, a live tail prints their warnings and
// errors, and three queries summarize the records. Runs for about five seconds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LogClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';
import { bars, clockTime, heading, table } from './print.mjs';

const server = await startLocalServer();
console.log(`Local server listening at ${server.url}. Starting two apps: shop (pino) and billing (winston).`);

const client = new LogClient({
  baseUrl: server.url,
  repository: server.repository,
  userToken: server.userToken,
});
const WARNINGS = 15; // warnings and errors that the two apps log

heading('Live: every warning and error as it happens');
const tailing = tailWarnings();
await Promise.all([runApp('shop'), runApp('billing')]);
await tailing;

await show(
  '1. A filter: which requests failed?',
  'level=error | reason := coalesce([err.message, cause.message]) | select([@timestamp, #service, requestId, invoice, ms, reason])',
  table,
);
await show(
  '2. groupBy: how fast is each service?',
  'groupBy(#service, function=[count(as=records), avg(ms, as=avg), max(ms, as=max)])',
  table,
);
await show('3. timeChart: records per second', 'timeChart(span=1s, function=count())', bars);

await server.close();
console.log('\nAll of this ran on your machine. To use the real service, set LOGSCALE_URL and its tokens.');

async function tailWarnings() {
  let seen = 0;
  for await (const event of client.tail('level=warn or level=error')) {
    const { '@timestamp': time, '#service': service, level, ms } = event;
    const text = event.msg ?? event.message;
    console.log(`  ${clockTime(time)}  ${service.padEnd(8)}${level.padEnd(6)}${text}  (${ms} ms)`);
    if (++seen === WARNINGS) break;
  }
}

async function runApp(name) {
  const app = spawn(process.execPath, [fileURLToPath(new URL(`./apps/${name}.mjs`, import.meta.url))], {
    stdio: 'inherit',
    env: { ...process.env, LOGSCALE_URL: server.url, LOGSCALE_INGEST_TOKEN: server.ingestToken },
  });
  const [code] = await once(app, 'exit');
  if (code !== 0) throw new Error(`The app ${name} exited with status ${code}.`);
}

async function show(title, queryString, print) {
  heading(title);
  console.log(`  ${queryString}\n`);
  print(await client.query(queryString, { start: '5min' }));
}
