import fc from 'fast-check';
import type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
import type { IngestSink, SinkAnswer } from './ingest-sink.ts';

/** What the service does with a request. With `lostAck` it takes the records, and its answer gets lost. */
export type ScriptedFault = SinkAnswer | 'lostAck';

/** What a service goes through, one fault for each request; afterwards it is healthy. */
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

/** Lets the service go through the faults, from the next request on. @returns how many answers got lost until now */
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
    // A record alone is not too large, so that nothing has to be given up.
    return fault.status === 413 && events.length === 1 ? {} : fault;
  };
  return played;
}

const LOSSES: readonly WarningKind[] = ['overflow', 'rejected', 'closed', 'damaged', 'internal'];

/**
 * Whether a delivery of less than half a minute has said each thing once. Losses add up, and are told once more at the
 * end; `spool` says at the end where records are.
 */
export function isQuiet(warnings: readonly Warning[]): boolean {
  return warnings.every(({ kind }) => {
    const lines = warnings.filter((other) => other.kind === kind).length;
    return lines <= (LOSSES.includes(kind) || kind === 'spool' ? 2 : 1);
  });
}

/** How many runs a property gets: few, unless PROPERTY_RUNS says otherwise. */
export function propertyRuns(few: number): number {
  return Number(process.env.PROPERTY_RUNS ?? few);
}
