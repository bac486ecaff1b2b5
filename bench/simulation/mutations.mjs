// Proves the simulation: changes the delivery in one place at a time, and counts the seeds until a law is broken.
// `node bench/simulation/mutations.mjs [--seeds 3000] [--only TEXT]`; exits with status 1 if a mutation is not found.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importSource } from '../source.mjs';

/** A mutation may make a run endless. */
const SEED_LIMIT_MS = 30_000;
const INGEST = new URL('../../src/ingest/', import.meta.url);

/** What is changed, in which file, from what to what. The first ones bring back what made delivery stop or was silent. */
const MUTATIONS = [
  ['no other records are tried', 'failure-policy', 'return this.#inARow >= this.#several;', 'return false;'],
  [
    'a reset never depends on the records',
    'send/classify-error',
    "isReset(error) || isUnreadable(error) ? 'records' : undefined",
    'undefined',
  ],
  [
    'timeouts do not shrink requests',
    'batch/batch-size-limit',
    'this.#timelyBytes = Math.max(1, Math.min(this.#timelyBytes, Math.floor(eventBytes / 2)));',
    '',
  ],
  [
    'one record that gets 413 makes all requests small',
    'batch/batch-size-limit',
    'if (this.#aloneBytes <= this.#acceptedBytes) {',
    'if (this.#aloneBytes < 0) {',
  ],
  [
    'one refusal ends close()',
    'failure-policy',
    'outcome.needsAttention === true && this.#inARow >= limit',
    'outcome.needsAttention === true && this.#inARow >= Math.min(1, limit)',
  ],
  [
    'records at fault split all others',
    'failure-policy',
    'if (control !== undefined) return this.#probe([control]);',
    'if (this.#controlsDue > 0 && !this.isHurried) return this.#probe([batch]);',
  ],
  [
    'one record of a batch is tried alone each time',
    'failure-policy',
    '(history.turns * STRIDE) % length',
    '0 % length',
  ],
  [
    'a full spool drops nothing behind a batch in flight',
    'backlog',
    'else if (oldest.length > 0) queued.push(...oldest);',
    'else if (oldest.length > 0 && this.sendQueue.inFlightRecords === 0) queued.push(...oldest);',
  ],
  [
    'frequent drops are not reported to the hook',
    'report/drop-hook',
    'for (const [reason, losses] of gathered) this.#callHook(reason, together(losses));',
    '',
  ],
  ['the last drops are not emitted', 'report/event-throttle', 'this.#world.exit.watch(this);', ''],
  [
    'a lone suspect is dropped at once',
    'failure-policy',
    "isLoneSuspect(batch) && this.#isProven(batch) ? 'dropped'",
    "isLoneSuspect(batch) ? 'dropped'",
  ],
  [
    'one failure in a row is enough to drop a record',
    'failure-policy',
    'if (hasEvidence && history.proofs >= PROOFS) return true;',
    'if (hasEvidence) return true;',
  ],
  [
    'failures of others prove nothing',
    'failure-policy',
    'const isDoubtful = failed !== history.failed;',
    'const isDoubtful = false;',
  ],
  [
    'an outage is blamed on the records',
    'failure-policy',
    'accepted - history.accepted >= CONTROLS',
    'accepted >= history.accepted',
  ],
  [
    'what hangs stays first at the end',
    'failure-policy',
    'this.isHurried ? ready.toSorted',
    'this === null ? ready.toSorted',
  ],
  [
    'a batch is put back at the end',
    'batch/send-queue',
    'at < 0 ? this.#waiting.length : at, 0, ...parts',
    'this.#waiting.length, 0, ...parts',
  ],
  [
    'the parts of a batch forget a record',
    'batch/batch-builder',
    '.filter(({ part }) => part.length > 0)',
    '.filter(({ start, part }) => start === 0 || part.length > 1)',
  ],
  [
    'the parts of a batch have wrong numbers',
    'batch/batch-builder',
    'batch.firstNumber + start;',
    'batch.firstNumber;',
  ],
  [
    'all records of a probed batch count',
    'backlog',
    'accounting.delivered(sent.length)',
    'accounting.delivered(batch.length)',
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
    "startTimer(timeoutMs, () => this.abandon('outOfTime'))",
    "startTimer(3 * timeoutMs, () => this.abandon('outOfTime'))",
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
    'a request is counted as in flight after a failure',
    'batch-scheduler',
    'this.#busy--;',
    "if (outcome.kind === 'delivered') this.#busy--;",
  ],
  [
    'a suspect rests forever',
    'batch-scheduler',
    'batch.history.isResting = false;\n      this.schedule();',
    'this.schedule();',
  ],
  ['nothing is sent at exit', 'process/exit-delivery', 'if (backlog.isEmpty ||', 'if (true ||'],
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
    'const records = [...taken, ...this.#memory.take(EVERYTHING)];',
    'const records: IngestRecord[] = [];',
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
  await runSeeds([], (failure, seed) => failure !== undefined && failing.push(seed));
  let missed = 0;
  for (const [index, [name, file, from]] of MUTATIONS.entries()) {
    if (!name.includes(values.only)) continue;
    const result = source(file).includes(from)
      ? await inChild(index, failing)
      : 'not applicable: the source has changed';
    if (typeof result === 'string') missed++;
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
    let ran = 0;
    const timer = setTimeout(() => {
      resolve({ seed: ran + 1, law: 'endless' });
      child.kill('SIGKILL');
    }, SEED_LIMIT_MS);
    child.on('message', ({ hasPassed, ...result }) => {
      timer.refresh();
      if (hasPassed) ran = result.seed;
      else resolve(result);
    });
    child.on('exit', () => {
      clearTimeout(timer);
      resolve('not found');
    });
  });
}

async function tryOne([, file, from, to]) {
  const path = new URL(`${file}.ts`, INGEST).pathname;
  const transform = (code, id) => (id === path ? code.replace(from, () => to) : undefined);
  const report = (result) => new Promise((resolve) => process.send(result, resolve));
  await runSeeds([{ name: 'mutation', transform }], async (failure, seed) => {
    if (failure === undefined || known.has(seed)) return report({ seed, hasPassed: true });
    await report(failure);
    process.exit();
  });
}

async function runSeeds(plugins, onResult) {
  const { runSeed } = await importSource(new URL('seeds.ts', import.meta.url), plugins);
  for (let seed = 1; seed <= seeds; seed++) {
    const failure = await runSeed(seed).catch(({ message }) => ({ seed, law: 'crash', message }));
    await onResult(failure, seed);
  }
}

function source(file) {
  return readFileSync(new URL(`${file}.ts`, INGEST), 'utf8');
}
