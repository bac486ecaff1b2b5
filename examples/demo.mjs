// The main job from end to end, with no account: two apps log, their records arrive in a local server,
// warnings are tailed live, and three queries show what came in. Takes about five seconds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { LogClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';
import { bars, clockTime, heading, table } from './print.mjs';

const server = await startLocalServer();
console.log(`A local server listens on ${server.url}. Two apps start: shop (pino) and billing (winston).`);

const client = new LogClient({
  baseUrl: server.url,
  repository: server.repository,
  userToken: server.userToken,
});
const WARNINGS = 15; // what the two apps log of them

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
  '2. groupBy: how do the services do?',
  'groupBy(#service, function=[count(as=records), avg(ms, as=avg), max(ms, as=max)])',
  table,
);
await show('3. timeChart: records per second', 'timeChart(span=1s, function=count())', bars);

await server.close();
console.log(
  '\nAll of this ran on your machine. Point LOGSCALE_URL and the tokens at the service, and it runs there.',
);

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
  if (code !== 0) throw new Error(`The app ${name} ended with code ${code}.`);
}

async function show(title, queryString, print) {
  heading(title);
  console.log(`  ${queryString}\n`);
  print(await client.query(queryString, { start: '5min' }));
}
