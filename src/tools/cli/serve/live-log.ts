import { choosingServer, type FoundServer } from '../../../core/discovery/local-servers.ts';
import type { TailReconnect } from '../../../index.ts';
import { eventLinesFormat } from '../../output/event-lines.ts';
import type { Row } from '../../output/row-format.ts';
import { surfaceOf } from '../../output/row-writer.ts';
import { writeNote } from '../../output/standard-output.ts';

/** Distinguishes log lines from the output of the program. */
const MARK = '│ ';

/** Longest wait for the last records, in milliseconds. */
const MAX_STOP_MS = 2_000;

/** Records that arrive at the same time are printed in any order, within this time in milliseconds. */
const OVERLAP_MS = 1_000;

/** More records than arrive within {@link OVERLAP_MS}. */
const MAX_PRINTED_IDS = 100_000;

/**
 * Prints the records that arrive at a server to stderr: stdout belongs to the program.
 *
 * @returns a function that prints the records that have already arrived, and stops
 */
export async function startLiveLog(server: FoundServer): Promise<() => Promise<void>> {
  const { LogClient } = await import('../../../index.ts');
  const { FALCON_CLIENT_ID: isNgsiem, LOGSCALE_REPOSITORY: own } = server.variables;
  // The view of all repositories.
  const repository = isNgsiem === undefined ? 'humio-search-all' : own;
  const client = new LogClient(choosingServer({ repository }, server));
  const whole = surfaceOf({}, process.stderr);
  const surface = { ...whole, width: whole.width - MARK.length };
  const format = eventLinesFormat({ isAggregate: false, columns: undefined, isEndless: true }, surface);
  const stopping = new AbortController();
  const startMs = Date.now();
  const printed = new Set<unknown>();
  /** When the last record arrived at the server, in epoch milliseconds. */
  let lastArrival = startMs;
  const print = (event: Row): void => {
    const { '@id': id, '@ingesttimestamp': arrival } = event;
    // It was printed before, or is of an earlier program.
    if (printed.has(id) || Number(arrival) < startMs) return;
    printed.add(id);
    if (printed.size > MAX_PRINTED_IDS) printed.delete(printed.values().next().value);
    lastArrival = Math.max(lastArrival, Number(arrival) || 0);
    process.stderr.write(format.rows([event]).replace(/^(?=.)/gm, surface.colors.dim(MARK)));
  };
  const follow = async (): Promise<void> => {
    const onReconnect = ({ attempt }: TailReconnect): void => {
      if (attempt === 2) writeNote('logclient: the local server has stopped; reconnecting …');
    };
    const options = { since: Date.now(), signal: stopping.signal, onReconnect };
    for await (const event of client.tail<Row>('', options)) print(event);
  };
  const following = follow().catch((error: unknown) => {
    if (!stopping.signal.aborted) reportFailure(error);
  });
  const printRest = async (): Promise<void> => {
    const options = { signal: AbortSignal.timeout(MAX_STOP_MS), start: 0, useIngestTime: true };
    const rest = await client.query<Row>('', { ...options, ingestStart: lastArrival - OVERLAP_MS });
    for (const event of rest.reverse()) print(event);
  };
  return async () => {
    stopping.abort();
    await following;
    await printRest().catch(reportFailure);
  };
}

function reportFailure(error: unknown): void {
  writeNote(`logclient: the live log stopped. ${error instanceof Error ? error.message : String(error)}`);
}
