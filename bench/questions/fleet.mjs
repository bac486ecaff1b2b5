// How do many processes affect a service with a rate limit, and each other's records?
import { mkdirSync, writeFileSync } from 'node:fs';
import { drawFleet } from '../fleet/picture.mjs';
import { importSource } from '../source.mjs';
import { fixed, markdown, whole } from '../table.mjs';

const { fairness, GROUPS, meanPerSecond, peakPerSecond, simulateFleet } = await importSource(
  new URL('../fleet/simulation.ts', import.meta.url),
);

const PICTURE = new URL('../../docs/images/fleet.svg', import.meta.url);

/** The limits below are for 10,000 processes, which send 4,700 requests per second if nothing limits them. */
const FULL_FLEET = 10_000;
const NATURAL_RATE = 4_700;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const REFUSED = { kind: 'refused' };

const LOADS = [10_000, 6_000, 4_000, 2_000, 1_000];

const OUTAGES = [
  { text: 'refused connections', limit: 6_000, answer: REFUSED },
  { text: 'refused connections', limit: 2_000, answer: REFUSED },
  { text: 'refused connections', limit: 1_000, answer: REFUSED },
  { text: '503, Retry-After: 60', limit: 6_000, answer: { kind: '503', retryAfterMs: MINUTE } },
  { text: '503, Retry-After: one date', limit: 6_000, answer: { kind: '503 until recovery' } },
];

const STARTS = [
  { limit: 6_000, startSpreadMs: 0 },
  { limit: 2_000, startSpreadMs: 0 },
  { limit: 6_000, startSpreadMs: 30 * SECOND },
  { limit: 2_000, startSpreadMs: 30 * SECOND },
];

const MEBIBYTE = 2 ** 20;

/** Options to simulate; each entry changes at most one default. */
const CHANGES = [
  {},
  { flushIntervalMs: 200 },
  { flushIntervalMs: 5_000 },
  { flushIntervalMs: 10_000 },
  { maxBatchBytes: MEBIBYTE / 4 },
  { maxBatchBytes: 4 * MEBIBYTE },
  { maxRequestsInFlight: 4 },
  { maxRetryDelayMs: 10_000 },
  { maxRetryDelayMs: 120_000 },
  { minRetryDelayMs: 100 },
  { maxQueueBytes: 32 * MEBIBYTE },
];

export async function runFleet({ amount }) {
  const processes = amount({ full: FULL_FLEET, short: 1_000, tiny: 100 });
  const outages = await simulateOutages(processes);
  mkdirSync(new URL('.', PICTURE), { recursive: true });
  const isTiny = amount({ full: false, short: false, tiny: true });
  if (!isTiny) writeFileSync(PICTURE, drawFleet([outages[0], outages[2]]));
  const tables = [
    outageTable(outages),
    groupTable(outages[0].result),
    await loadTable(processes),
    await startTable(processes),
    await changeTable(Math.min(processes, 1_000)),
  ];
  return tables.join('\n\n');
}

const limitOf = (limit, processes) => (limit * processes) / FULL_FLEET;
const seconds = (ms, digits = 0) => fixed(ms / SECOND, digits);
const times = (rate, limit) => `${fixed(rate / limit, 2)}x`;
const percent = (part, all) => `${fixed((100 * part) / all, 1)} %`;
const sum = (items, value) => items.reduce((total, item) => total + value(item), 0);

async function simulateOutages(processes) {
  const outages = [];
  for (const { text, limit, answer } of OUTAGES) {
    const limitPerSecond = limitOf(limit, processes);
    const outage = { durationMs: 10 * MINUTE, answer };
    const times = { startSpreadMs: 30 * SECOND, warmUpMs: 1.5 * MINUTE, afterMs: 2 * MINUTE };
    outages.push({
      text,
      limitPerSecond,
      result: await simulateFleet({ processes, limitPerSecond, outage, ...times }),
    });
  }
  return outages;
}

function outageTable(outages) {
  const rows = outages.map(({ text, limitPerSecond, result }) => {
    const { processes, service, outageAt, recoveredAt, stoppedAt } = result;
    const stats = processes.map((process) => process.stats);
    return [
      text,
      whole(limitPerSecond),
      whole(meanPerSecond(service.requests, outageAt + MINUTE, recoveredAt)),
      times(peakPerSecond(service.requests, recoveredAt, stoppedAt), limitPerSecond),
      times(meanPerSecond(service.requests, recoveredAt, stoppedAt), limitPerSecond),
      seconds(drainMs(processes, recoveredAt)),
      percent(
        sum(stats, ({ dropped }) => dropped),
        sum(stats, ({ accepted }) => accepted),
      ),
      whole(stats.filter(({ dropped }) => dropped > 0).length),
      fixed(fairness(stats.map(({ accepted, delivered }) => (accepted === 0 ? 1 : delivered / accepted))), 3),
    ];
  });
  return markdown(
    [
      'outage of 10 min',
      'limit/s',
      'requests/s in it',
      'peak after it',
      'mean after it',
      'drained after, s',
      'records lost',
      'processes that lost some',
      'fairness',
    ],
    rows,
  );
}

function drainMs(processes, recoveredAt) {
  return Math.max(...processes.map(({ caughtUpAt }) => caughtUpAt - recoveredAt));
}

function groupTable({ processes, recoveredAt }) {
  const rows = GROUPS.map(({ name, recordsPerSecond }) => {
    const group = processes.filter((process) => process.recordsPerSecond === recordsPerSecond);
    const stats = group.map((process) => process.stats);
    return [
      name,
      whole(group.length),
      fixed(recordsPerSecond, recordsPerSecond < 1 ? 1 : 0),
      whole(sum(stats, ({ accepted }) => accepted)),
      percent(
        sum(stats, ({ dropped }) => dropped),
        sum(stats, ({ accepted }) => accepted),
      ),
      seconds(drainMs(group, recoveredAt), 1),
      seconds(Math.max(...group.map(({ delays }) => delays.max))),
    ];
  });
  return markdown(
    ['processes', 'number', 'records/s each', 'logged', 'lost', 'drained after, s', 'longest delay, s'],
    rows,
  );
}

async function loadTable(processes) {
  const rows = [];
  for (const limit of LOADS) {
    const limitPerSecond = limitOf(limit, processes);
    const result = await simulateFleet({
      processes,
      limitPerSecond,
      startSpreadMs: MINUTE,
      warmUpMs: 2 * MINUTE,
      afterMs: MINUTE,
    });
    const { service, recoveredAt, stoppedAt } = result;
    const delays = result.processes.map((process) => process.delays.mean).sort((a, b) => a - b);
    rows.push([
      whole(limitPerSecond),
      times(limitOf(NATURAL_RATE, processes), limitPerSecond),
      whole(meanPerSecond(service.requests, recoveredAt, stoppedAt)),
      times(peakPerSecond(service.requests, recoveredAt, stoppedAt), limitPerSecond),
      whole(meanPerSecond(service.accepted, recoveredAt, stoppedAt)),
      seconds(delays[Math.floor(delays.length / 2)], 1),
      seconds(delays[Math.floor(delays.length * 0.99)], 1),
      whole(sum(result.processes, ({ stats }) => stats.dropped)),
      fixed(fairness(delays), 2),
    ]);
  }
  return markdown(
    [
      'limit/s',
      'load',
      'requests/s',
      'peak',
      'accepted/s',
      'delay, median process, s',
      'delay, 99th, s',
      'lost',
      'fairness of delays',
    ],
    rows,
  );
}

async function startTable(processes) {
  const rows = [];
  for (const { limit, startSpreadMs } of STARTS) {
    const limitPerSecond = limitOf(limit, processes);
    const { service } = await simulateFleet({
      processes,
      limitPerSecond,
      startSpreadMs,
      warmUpMs: MINUTE,
      afterMs: SECOND,
    });
    const peaks = Array.from({ length: 60 }, (_, second) =>
      peakPerSecond(service.requests, second * SECOND, (second + 1) * SECOND),
    );
    rows.push([
      startSpreadMs === 0 ? 'all at once' : `within ${startSpreadMs / SECOND} s`,
      whole(limitPerSecond),
      times(Math.max(...peaks), limitPerSecond),
      peaks.findLastIndex((peak) => peak >= 2 * limitPerSecond) + 1,
    ]);
  }
  return markdown(['start', 'limit/s', 'peak', 'below twice the limit after, s'], rows);
}

async function changeTable(processes) {
  const rows = [];
  for (const ingester of CHANGES) {
    const [name, value] = Object.entries(ingester)[0] ?? [];
    const [healthy, limited] = [
      await simulateChange(processes, 6_000, ingester, { durationMs: 10 * MINUTE, answer: REFUSED }),
      await simulateChange(processes, 2_000, ingester),
    ];
    rows.push([name === undefined ? 'defaults' : `\`${name}\`: ${whole(value)}`, ...healthy, ...limited]);
  }
  return markdown(
    [
      'options',
      'requests/s before',
      'peak after',
      'drained after, s',
      'records lost',
      'limited: requests',
      'limited: delay of the median process, s',
      'limited: lost',
    ],
    rows,
  );
}

async function simulateChange(processes, limit, ingester, outage) {
  const limitPerSecond = limitOf(limit, processes);
  const result = await simulateFleet({
    processes,
    limitPerSecond,
    ingester,
    outage,
    startSpreadMs: MINUTE,
    warmUpMs: 2 * MINUTE,
    afterMs: 2 * MINUTE,
  });
  const { service, outageAt, recoveredAt, stoppedAt } = result;
  const stats = result.processes.map((process) => process.stats);
  const lost = percent(
    sum(stats, ({ dropped }) => dropped),
    sum(stats, ({ accepted }) => accepted),
  );
  if (outage === undefined) {
    const delays = result.processes.map((process) => process.delays.mean).sort((a, b) => a - b);
    const requests = meanPerSecond(service.requests, recoveredAt, stoppedAt);
    return [times(requests, limitPerSecond), seconds(delays[Math.floor(delays.length / 2)], 1), lost];
  }
  return [
    whole(meanPerSecond(service.requests, outageAt - MINUTE, outageAt)),
    times(peakPerSecond(service.requests, recoveredAt, stoppedAt), limitPerSecond),
    seconds(drainMs(result.processes, recoveredAt)),
    lost,
  ];
}
