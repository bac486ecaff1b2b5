// Proves the simulation: changes the delivery in one place at a time, and counts the seeds until a law is broken.
// `node bench/simulation/mutations.mjs [--seeds 3000] [--only TEXT]`; exits with status 1 if a mutation is not found.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importSource } from '../source.mjs';

/** A mutation may make a run endless. */
const LIMIT_MS = 120_000;
const INGEST = new URL('../../src/ingest/', import.meta.url);

/** What is changed, in which file, from what to what. The first ones bring back what made delivery stop. */
const MUTATIONS = [
  ['no other records are tried', 'failure-policy', 'return this.#inARow >= this.#several;', 'return false;'],
  [
    'a reset never depends on the records',
    'send/http-sender',
    "wasReset ? 'records' : undefined",
    'undefined',
  ],
  [
    'timeouts do not shrink requests',
    'batch/batch-size-limit',
    'Math.floor(eventBytes / 2)));\n  }\n\n  delivered',
    'eventBytes));\n  }\n\n  delivered',
  ],
  [
    'three refusals end close()',
    'failure-policy',
    'this.#acceptedAt === 0 ? SEVERAL : FINAL_REFUSALS',
    'SEVERAL',
  ],
  ['suspects are isolated with pauses', 'failure-policy', 'const UNPAUSED = 6;', 'const UNPAUSED = 0;'],
  [
    'the last drops are not reported',
    'report/delivery-accounting',
    "if (when !== 'afterEnd') this.#dropHook.flush();",
    '',
  ],
  [
    'a lone suspect is dropped at once',
    'failure-policy',
    "isSuspect && this.#isProven(batch) ? 'dropped'",
    "isSuspect ? 'dropped'",
  ],
  ['failures of others prove nothing', 'failure-policy', '&& failed === history.failed', ''],
  [
    'a batch is put back at the end',
    'batch/send-queue',
    'at < 0 ? this.#waiting.length : at, 0, ...parts',
    'this.#waiting.length, 0, ...parts',
  ],
  [
    'the parts of a batch forget a record',
    'batch/batch-builder',
    '.filter(({ length }) => length > 0)',
    '.filter((part, index) => index === 0 || part.length > 1)',
  ],
  [
    'all records of a probed batch count',
    'dispatcher',
    'accounting.delivered(sent.length)',
    'accounting.delivered(batch.length + (sent === batch ? 0 : 1))',
  ],
  [
    'the queue takes one record too many',
    'backlog',
    'return this.#heldBytes + byteLength <= this.#maxBytes',
    'return this.#heldBytes <= this.#maxBytes',
  ],
  ['retries do not wait', 'send/retry-backoff', 'ownMs: backoffDelay(0, {', 'ownMs: 0 * backoffDelay(0, {'],
  [
    'Retry-After is ignored',
    'send/retry-backoff',
    'Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)',
    '0 * retryAfterMs',
  ],
  [
    'close() waits three times as long',
    'pipeline',
    'startTimer(timeoutMs, () => this.abandon())',
    'startTimer(3 * timeoutMs, () => this.abandon())',
  ],
  [
    'flush() is one record early',
    'pipeline',
    'this.#flushes[0].beforeNumber <= settledBefore',
    'this.#flushes[0].beforeNumber <= settledBefore + 1',
  ],
  [
    'a waiting writer is not called',
    'backpressure',
    'if (this.#waiters.length === 0 || !this.#isDrained()) return;',
    'if (!this.#isClosed) return;',
  ],
  [
    'a slot is lost after a failure',
    'batch-scheduler',
    'this.#freeSlots.push(slot);',
    "if (outcome.kind === 'delivered') this.#freeSlots.push(slot);",
  ],
  [
    'the last batch decides when to retry',
    'failure-policy',
    'Math.min(...waiting.map',
    'Math.max(...waiting.map',
  ],
  ['nothing is sent at exit', 'process/exit-delivery', 'if (backlog.isEmpty ||', 'if (true ||'],
  [
    'retries have no timer',
    'batch-scheduler',
    'this.#retryTimer = this.#startTimer(Math.max(0, delayMs)',
    'if (delayMs < 0) this.#retryTimer = this.#startTimer(Math.max(0, delayMs)',
  ],
  ['aborted requests are settled', 'batch-scheduler', 'if (signal.aborted) return; // The', '// The'],
  [
    'a recovery is not reported',
    'report/delivery-accounting',
    'if (this.#outage !== undefined) this.#recovered',
    'if (this.#outage === null) this.#recovered',
  ],
  [
    'a rejected record is not counted',
    'pipeline',
    'this.#accounting.overflowed(lostRecords([], [record]));',
    '',
  ],
  [
    'the spool settles one record early',
    'spool/spool',
    'this.#taken[0].endNumber <= beforeNumber',
    'this.#taken[0].endNumber - 1 <= beforeNumber',
  ],
  [
    'the spool forgets what it could not write',
    'spool/spool',
    'this.#memory.putBack(records.slice(written));',
    '',
  ],
  [
    'the spool does not save its memory',
    'spool/spool',
    'const left = this.#saveMemory();',
    'const left: IngestRecord[] = [];',
  ],
  ['the spool is not synced', 'spool/file-sync', "if (fsync === 'always') disk.sync(descriptor);", ''],
  ['the spool adopts nothing', 'spool/adoption', 'this.#parked.push(...segments);', ''],
  [
    'the spool takes what others use',
    'spool/leftovers',
    '(await disk.isLocked(path))) continue',
    'false) continue',
  ],
];

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3000' },
    only: { type: 'string', default: '' },
    /** Set for the process of one mutation, with the seeds that fail without it. */
    mutation: { type: 'string' },
    known: { type: 'string', default: '' },
  },
});
const seeds = Number(values.seeds);
const known = new Set(values.known.split(',').map(Number));

if (values.mutation === undefined) await tryAll();
else await tryOne(MUTATIONS[Number(values.mutation)]);
process.exit();

async function tryAll() {
  const failing = [];
  await runSeeds([], (failure) => failing.push(failure.seed));
  let missed = 0;
  for (const [index, [name, file, from]] of MUTATIONS.entries()) {
    if (!name.includes(values.only)) continue;
    const result = source(file).includes(from)
      ? await inChild(index, failing)
      : 'not applicable: the source has changed';
    if (typeof result === 'string' && !result.startsWith('endless')) missed++;
    const found = typeof result === 'string' ? result : `seed ${result.seed} of ${seeds}: ${result.law}`;
    console.log(`${name}: ${found}`);
  }
  console.log(
    `${MUTATIONS.length} mutations, ${missed} not found; ${failing.length} of ${seeds} seeds fail without them`,
  );
  if (missed > 0) process.exitCode = 1;
}

function inChild(index, failing) {
  const child = fork(
    import.meta.filename,
    ['--mutation', index, '--seeds', seeds, '--known', failing.join()].map(String),
  );
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve('endless');
      child.kill('SIGKILL');
    }, LIMIT_MS);
    child.on('message', resolve);
    child.on('exit', () => {
      clearTimeout(timer);
      resolve('not found');
    });
  });
}

async function tryOne([, file, from, to]) {
  const path = new URL(`${file}.ts`, INGEST).pathname;
  const transform = (code, id) => (id === path ? code.replace(from, () => to) : undefined);
  await runSeeds([{ name: 'mutation', transform }], async (failure) => {
    if (known.has(failure.seed)) return;
    await new Promise((resolve) => process.send(failure, resolve));
    process.exit();
  });
}

async function runSeeds(plugins, onFailure) {
  const { runSeed } = await importSource(new URL('seeds.ts', import.meta.url), plugins);
  for (let seed = 1; seed <= seeds; seed++) {
    const failure = await runSeed(seed).catch(({ message }) => ({ seed, law: 'crash', message }));
    if (failure !== undefined) await onFailure(failure);
  }
}

function source(file) {
  return readFileSync(new URL(`${file}.ts`, INGEST), 'utf8');
}
