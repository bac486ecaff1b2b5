import type { StructuredEvent } from '../../src/index.ts';
import type { LogTest } from '../../src/testing/index.ts';

/** 09:00:00.000 on a day in March. */
export const NINE = Date.UTC(2026, 2, 2, 9);

export type LogFields = StructuredEvent['attributes'];

/** Logs to a test, one record per millisecond. */
export async function log(logs: LogTest, records: readonly LogFields[], startMs = NINE): Promise<void> {
  const events = records.map((attributes, index) => ({ timestamp: startMs + index, attributes }));
  await logs.client.ingestJsonData([{ events }]);
}
