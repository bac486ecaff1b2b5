import type { LogClientOptions, TailReconnect } from '../../index.ts';
import { delay } from '../../internal/delay.ts';
import { createColors } from '../output/colors.ts';
import { eventLinesFormat } from '../output/event-lines.ts';
import type { Row, Surface } from '../output/row-format.ts';
import { writeNote } from '../output/standard-output.ts';

/** Distinguishes log lines from the output of the program. */
const MARK = '│ ';

/** The last records of a program have arrived if none has for this time, in milliseconds. */
const QUIET_MS = 200;

/** Other programs may keep logging. */
const MAX_STOP_MS = 2_000;

export interface LiveLog {
  /** Prints the records that have already arrived, and stops. */
  readonly stop: () => Promise<void>;
}

/** Prints the records that arrive at a server to stderr: stdout belongs to the program. */
export async function startLiveLog(variables: Readonly<Record<string, string>>): Promise<LiveLog> {
  const { LogClient } = await import('../../index.ts');
  const client = new LogClient(clientOptions(variables));
  const surface = stderrSurface();
  const format = eventLinesFormat({ isAggregate: false, columns: undefined, isEndless: true }, surface);
  const stopping = new AbortController();
  let printedAt = 0;
  const print = async (): Promise<void> => {
    const options = { since: Date.now(), signal: stopping.signal, onReconnect: reportReconnect };
    for await (const event of client.tail<Row>('', options)) {
      printedAt = performance.now();
      process.stderr.write(marked(format.rows([event]), surface));
    }
  };
  const printing = print().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    writeNote(`logclient: the live log stopped. ${error instanceof Error ? error.message : String(error)}`);
  });
  const stop = async (): Promise<void> => {
    const deadline = performance.now() + MAX_STOP_MS;
    printedAt = performance.now();
    const isQuiet = (): boolean => performance.now() > Math.min(printedAt + QUIET_MS, deadline);
    while (!isQuiet()) await delay(QUIET_MS / 4);
    stopping.abort();
    await printing;
  };
  return { stop };
}

function reportReconnect({ attempt, error }: TailReconnect): void {
  if (attempt === 1 && error !== undefined)
    writeNote('logclient: the local server has stopped; reconnecting …');
}

/** A client for the view of all repositories. */
function clientOptions(variables: Readonly<Record<string, string>>): LogClientOptions {
  const { FALCON_CLIENT_ID: clientId, FALCON_CLIENT_SECRET: clientSecret } = variables;
  if (clientId === undefined) {
    const { LOGSCALE_URL: baseUrl, LOGSCALE_TOKEN: userToken } = variables;
    return { baseUrl, userToken, repository: 'humio-search-all' };
  }
  const { FALCON_BASE_URL: baseUrl, LOGSCALE_REPOSITORY: repository } = variables;
  return { baseUrl, auth: { clientId, clientSecret }, repository };
}

function marked(text: string, { colors }: Surface): string {
  return text.replace(/^(?=.)/gm, colors.dim(MARK));
}

function stderrSurface(): Surface {
  const { isTTY: isTerminal = false, columns = 80 } = process.stderr;
  return {
    isTerminal,
    width: isTerminal ? columns - MARK.length : Number.POSITIVE_INFINITY,
    colors: createColors({ isTerminal, environment: process.env }),
    timeZone: undefined,
    draws: false,
    warn: writeNote,
  };
}
