import { Ingester } from '../ingester.ts';
import { createRecord } from '../record.ts';
import { ExitBooks } from './exit-books.ts';
import type { ExitDelivery, ExitJob } from './exit-protocol.ts';
import { deliveryTimeLeft } from './exit-time.ts';

/** Delivers the records in time or gives them up. Says nothing itself: the waiting thread tells of everything. */
export async function runExitJob({
  options,
  records,
  deadline,
}: Omit<ExitJob, 'state' | 'port'>): Promise<ExitDelivery> {
  const books = new ExitBooks();
  const closeTimeoutMs = deliveryTimeLeft(options, deadline);
  const ingester = new Ingester({ ...options, closeTimeoutMs, onWarning: () => {} }, books);
  for (const { eventText, tagsText } of records) ingester.addRecord(createRecord(eventText, tagsText));
  await ingester.close();
  return books.close(ingester.stats);
}
