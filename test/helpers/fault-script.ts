import fc from 'fast-check';
import type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
import type { IngestSink, SinkAnswer } from './ingest-sink.ts';

/** How the service handles a request. With `lostAck`, it stores the records, but the response is lost. */
export type ScriptedFault = SinkAnswer | 'lostAck';

/** A sequence of faults, one per request; afterward, the service is healthy. */
export const faultScript: fc.Arbitrary<ScriptedFault[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<ScriptedFault>({}) },
    fc.constantFrom<ScriptedFault>(
      { status: 503 },
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 429 },
      { status: 413 },
      { status: 401 },
      { reset: true },
      { hang: true },
      { delayMs: 5 },
      'lostAck',
    ),
  ),
  { maxLength: 15 },
);

/** Whether a fault may depend on the records, so that others are sent first. */
export function mayBlameRecords(fault: ScriptedFault): boolean {
  if (fault === 'lostAck' || fault.reset || fault.hang) return true;
  return fault.status !== undefined && fault.status !== 429;
}

/** Applies the faults to the next requests. @returns the number of lost responses so far */
export function play(sink: IngestSink, faults: readonly ScriptedFault[]): { readonly lostAcks: number } {
  const first = sink.requests.length;
  const played = { lostAcks: 0 };
  sink.answer = ({ groups }, index) => {
    const fault = faults[index - first] ?? {};
    const events = groups.flatMap((group) => group.events);
    if (fault === 'lostAck') {
      played.lostAcks++;
      sink.events.push(...events);
      return { reset: true };
    }
    // A single record is not too large, so that none must be dropped.
    return fault.status === 413 && events.length === 1 ? {} : fault;
  };
  return played;
}

const LOSSES: readonly WarningKind[] = ['overflow', 'rejected', 'closed', 'damaged', 'internal'];

/**
 * Whether a delivery of less than half a minute has reported each problem once. Losses are summed and reported again at
 * the end; `spool` reports at the end where records are.
 */
export function isQuiet(warnings: readonly Warning[]): boolean {
  return warnings.every(({ kind }) => {
    const lines = warnings.filter((other) => other.kind === kind).length;
    return lines <= (LOSSES.includes(kind) || kind === 'spool' ? 2 : 1);
  });
}
