import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';

/** What the worker is started with. */
export interface WorkerSettings {
  readonly logclientWorker: true;
  readonly options: IngesterOptions;
  /** Shared memory. The worker sets it when it has begun, for a main thread that can't turn its event loop any more. */
  readonly hasStarted: Int32Array;
}

/**
 * A line that asks the worker to deliver what it has and to close. It travels with the events, so that everything
 * before it is in. JSON text has no control characters, so no event looks like it.
 */
export const END_LINE = '\u0004';

/** What the worker's stream emits in the main thread when it has closed. */
export const CLOSED_EVENT = 'logclient:closed';

/** An event as a line; its tags only where they are not those that every event has. */
export function encodeLine(eventText: string, tagsText: string, baseTagsText: string): string {
  return tagsText === baseTagsText ? `${eventText}\n` : `${tagsText}\t${eventText}\n`;
}

export function decodeLine(line: string, baseTagsText: string): { eventText: string; tagsText: string } {
  const tab = line.indexOf('\t');
  if (tab === -1) return { eventText: line, tagsText: baseTagsText };
  return { eventText: line.slice(tab + 1), tagsText: line.slice(0, tab) };
}
