import { Ingester } from '../ingester.ts';
import type { IngesterOptions } from '../ingester-options.ts';
import type { ExitDelivery, ExitJob } from './exit-protocol.ts';

/** What the result needs to get to those who wait, before they stop waiting. */
const REPORT_MS = 250;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Delivers the records in time or gives them up. Says nothing itself: the waiting thread tells of everything. */
export async function runExitJob({
  options,
  records,
  deadline,
}: Omit<ExitJob, 'state' | 'port'>): Promise<ExitDelivery> {
  const drops: Writable<ExitDelivery['drops'][number]>[] = [];
  const warnings: Writable<ExitDelivery['warnings'][number]>[] = [];
  let lastFailure = '';
  const ingester = new Ingester(
    { ...options, closeTimeoutMs: timeLeft(options, deadline), onWarning: () => {} },
    {
      dropped: ({ reason, events }) => drops.push({ reason, events: [...events] }),
      failed: (reason) => {
        lastFailure = reason;
      },
      warned: ({ kind, message }) => {
        if (kind === 'attention' || kind === 'internal') warnings.push({ kind, message });
      },
    },
  );
  for (const record of records) ingester.addRecord(record);
  await ingester.close();
  const { delivered, batches, retried } = ingester.stats;
  return { delivered, batches, retried, drops, lastFailure, warnings };
}

function timeLeft({ closeTimeoutMs = 5_000 }: IngesterOptions, deadline: number): number {
  return Math.max(1, Math.min(closeTimeoutMs, deadline - Date.now() - REPORT_MS));
}
