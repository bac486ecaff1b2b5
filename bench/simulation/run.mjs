// Simulates deliveries, and reports each seed that breaks a law; see CONTRIBUTING.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { importSource } from '../source.mjs';

/** Failures to explain. The others are only listed. */
const MAX_EXPLAINED = 3;
const REPORT_MS = 10_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '6000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    /** Set for the processes of `--workers`: each runs every n-th seed. */
    every: { type: 'string', default: '1' },
  },
});
const [from, seeds, workers, every] = [values.from, values.seeds, values.workers, values.every].map(Number);
const startedAt = performance.now();
let ran = 0;
let reportedAt = startedAt;
const failed = [];

if (values.seed !== undefined) await explain(Number(values.seed));
else {
  if (workers > 1) await runWorkers();
  else await runSeeds();
  const list = failed.map(({ seed, law }) => `${seed} (${law})`).join(', ');
  if (process.send === undefined) {
    for (const { seed } of failed.slice(0, MAX_EXPLAINED)) await explain(seed);
    if (failed.length > 0) console.log(`Failed: ${list}`);
    console.log(`${ran} seeds ran, ${failed.length} failed (${perMinute()} per minute)`);
  }
}
process.exit(failed.length > 0 ? 1 : 0);

async function explain(seed) {
  const { explainSeed } = await simulation();
  console.log(`\n${await explainSeed(seed)}\n`);
}

function simulation() {
  return importSource(new URL('seeds.ts', import.meta.url));
}

async function runSeeds() {
  const { runSeed } = await simulation();
  for (let seed = from; seed < from + seeds; seed += every) {
    const failure = await runSeed(seed);
    process.send?.({ failure });
    count(failure);
  }
}

async function runWorkers() {
  const children = Array.from({ length: workers }, (_, index) =>
    fork(import.meta.filename, [
      ...['--from', from + index, '--seeds', seeds - index, '--every', workers].map(String),
    ]),
  );
  for (const child of children) child.on('message', ({ failure }) => count(failure));
  await Promise.all(children.map((child) => once(child, 'exit')));
}

function count(failure) {
  ran++;
  if (failure !== undefined) failed.push(failure);
  if (process.send !== undefined) return;
  if (failure !== undefined) console.log(`Seed ${failure.seed}: ${failure.law}: ${failure.message}`);
  const now = performance.now();
  if (now - reportedAt < REPORT_MS) return;
  reportedAt = now;
  console.log(`${ran} seeds, ${failed.length} failed, ${perMinute()} per minute`);
}

function perMinute() {
  return Math.round((ran * 60_000) / (performance.now() - startedAt));
}
