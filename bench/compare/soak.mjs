// Logs for minutes while the service fails at random, and reports memory, counters and order.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ChildProcess } from './child-process.mjs';
import { ownLoggers } from './loggers/index.mjs';
import { Oracle } from './oracle.mjs';
import { linesOf, reportedLosses } from './promises.mjs';
import { seededRandom } from './record.mjs';

const MEBIBYTE = 1024 * 1024;
const FAULT_EVERY_MS = 10_000;
const SAMPLE_EVERY_MS = 1_000;
/** All records must arrive within this time after a fault. */
const DRAIN_TIMEOUT_MS = 90_000;

const USAGE = `Usage: npm run soak -- [options]

  --minutes <number>   5 unless given
  --rate <number>      records per second; 5000 unless given
  --logger <name>      ${ownLoggers.join(', ')}; the first unless given
  --spool              queue records on disk, in a temporary directory
  --seed <number>      of the faults; shown at the start, so that a run can be repeated`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    rate: { type: 'string', default: '5000' },
    logger: { type: 'string', default: ownLoggers[0] },
    spool: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});

const print = (text) => process.stdout.write(`${text}\n`);

/** Faults of requests; each lasts for its drawn time. */
const faults = [
  { name: '503', answer: { status: 503 } },
  { name: '429 with Retry-After: 1', answer: { status: 429, retryAfter: 1 } },
  { name: 'reset', answer: { reset: true } },
  { name: 'accepted, then reset', answer: { acceptAndReset: true } },
  { name: 'slow', answer: { delayMs: 1_500 } },
  { name: 'no answer', answer: { hang: true } },
  { name: '401', answer: { status: 401 } },
  { name: 'no connection', closes: true },
];

/** Draws a fault of up to five seconds every ten seconds. @returns a function that stops it. */
function planFaults(oracle, random) {
  let current;
  let end;
  let refusals = 0;
  const begin = () => {
    current = faults[Math.floor(random() * faults.length)];
    const forMs = 500 + random() * 4_500;
    print(`  ${new Date().toISOString()} ${current.name}, ${Math.round(forMs)} ms`);
    if (current.closes) void oracle.close();
    if (current.answer?.status === 401) refusals++;
    end = setTimeout(() => {
      if (current.closes) void oracle.open();
      current = undefined;
    }, forMs);
  };
  const timer = setInterval(begin, FAULT_EVERY_MS);
  return {
    answer: () => current?.answer,
    refusals: () => refusals,
    stop: async () => {
      clearInterval(timer);
      clearTimeout(end);
      if (current?.closes) await oracle.open();
      current = undefined;
    },
  };
}

/** The least-squares slope per minute. */
function slopePerMinute(samples) {
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / samples.length;
  const mean = samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
  const covariance = samples.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - mean), 0);
  const variance = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  return (covariance / variance) * 60_000;
}

/** Medians of ten equal parts. Growth shows as a trend, a pause of the garbage collector doesn't. */
function tenthsOf(samples) {
  const part = samples.length / 10;
  return Array.from({ length: 10 }, (_, index) => {
    const values = samples.slice(index * part, (index + 1) * part).map(({ value }) => value);
    return Math.round(values.sort((a, b) => a - b)[values.length >> 1]);
  });
}

async function soak() {
  const seed = Number(values.seed);
  const rate = Number(values.rate);
  const records = Math.round(Number(values.minutes) * 60 * rate);
  print(`${values.logger}: ${records} records at ${rate} a second, seed ${seed}`);
  const directory = values.spool ? await mkdtemp(join(tmpdir(), 'logclient-soak-')) : undefined;
  let plan;
  const oracle = new Oracle({ protocol: 'logscale', answer: () => plan?.answer(), recordBytes: 280 });
  await oracle.open();
  const child = new ChildProcess(values.logger, {
    url: oracle.url,
    work: { records, perSecond: rate, bytes: 280 },
    ending: 'close on request',
    // Otherwise, a fault of five seconds would cause a pause of thirty.
    options: { maxRetryDelayMs: 5_000, ...(directory && { spool: { directory } }) },
  });
  await child.event('logging');
  oracle.start();
  plan = planFaults(oracle, seededRandom(seed));
  const samples = [];
  const sampling = setInterval(async () => {
    samples.push({ at: Date.now(), value: (await child.residentBytes()) / MEBIBYTE });
  }, SAMPLE_EVERY_MS);
  await child.event('logged');
  clearInterval(sampling);
  await plan.stop();
  const isComplete = await oracle.hasDelivered(records, DRAIN_TIMEOUT_MS);
  child.requestClose();
  await child.endsWithin(30_000);
  await oracle.close();
  const refusals = plan.refusals();
  report({ oracle, child, records, samples, refusals, isComplete, exit: await child.ended });
  if (directory) await rm(directory, { recursive: true, force: true });
}

function report({ oracle, child, records, samples, refusals, isComplete, exit }) {
  const lost = records - oracle.delivered;
  // The first third fills queues and warms up the compiler.
  const settled = samples.slice(Math.floor(samples.length / 3));
  const checks = {
    'nothing is lost without a report': lost === reportedLosses(child.stderr),
    'everything arrives once the faults are over': isComplete,
    // After some refusals, single records are sent ahead of others.
    'order is kept, except after refusals': oracle.inversions <= refusals,
    'only the unacknowledged comes twice': oracle.duplicates <= oracle.unacknowledged,
    'content is intact': oracle.damaged === 0,
    'the program ends well': exit.code === 0,
    'a line on stderr in 30 s at most, of each kind': linesOf(child.stderr).length <= samples.length / 10 + 3,
  };
  const rss = settled.map(({ value }) => value);
  print(`delivered ${oracle.delivered} of ${records}, lost ${lost}, twice ${oracle.duplicates}`);
  print(`out of order ${oracle.inversions}, requests ${oracle.requests.length}`);
  print(`RSS at each tenth of the run: ${tenthsOf(samples).join(', ')} MiB`);
  print(`RSS ${Math.round(Math.min(...rss))} to ${Math.round(Math.max(...rss))} MiB`);
  print(`RSS slope after the first third ${slopePerMinute(settled).toFixed(2)} MiB a minute`);
  print(`counters ${JSON.stringify(child.events.closed?.stats ?? child.events.closing?.stats)}`);
  if (child.stderr !== '') print(`stderr:\n${child.stderr}`);
  for (const [what, holds] of Object.entries(checks)) print(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (Object.values(checks).includes(false)) process.exitCode = 1;
}

if (values.help) print(USAGE);
else await soak();
