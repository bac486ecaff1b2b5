import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import { LogQueryException, type TailOptions, type TailReconnect, type TailSkip } from '../../index.ts';
import { aggregateOf, resultFields } from '../../language/index.ts';
import { noMatchHints } from '../../language/no-match-hints.ts';
import { usageFailure } from '../output/command-failure.ts';
import { throwUnlessCtrlC } from '../output/interruption.ts';
import { Outage } from '../output/outage.ts';
import type { OutputFlags } from '../output/output-flags.ts';
import { rawText } from '../output/raw.ts';
import type { Row } from '../output/row-format.ts';
import { RowWriter } from '../output/row-writer.ts';
import { endlessOutputSignal } from '../output/standard-output.ts';
import { timeText } from '../output/time-text.ts';
import type { ConnectionFlags } from '../settings/connection-flags.ts';
import type { ConnectionSettings } from '../settings/connection-settings.ts';
import { describeFailure } from '../settings/failure.ts';
import { type Service, withService } from '../settings/service.ts';
import { intervalOf } from './interval.ts';
import { checkParameters, noteIfPath, refuseFile, warnIfUnread } from './query-input.ts';

const DEFAULT_LAST = 10;
const NO_EVENTS =
  'tail shows only events, and this query returns an aggregate. Use "logclient query", with --live for updates.';

export interface TailFlags extends ConnectionFlags, OutputFlags {
  readonly last?: number;
  readonly since?: string;
  readonly limit?: number;
  readonly highlight?: readonly RegExp[];
  readonly exclude?: readonly RegExp[];
  readonly param?: Readonly<Record<string, string>>;
}

/** Shows the events of a query as they arrive. Ctrl-C ends it and is not a failure. */
export async function runTail(queryString: string, flags: TailFlags): Promise<void> {
  const writer = new RowWriter(flags, flags.highlight);
  refuseFile(
    queryString,
    (path) => `tail reads from the service. For a file: logclient view --follow ${path}`,
  );
  noteIfPath(queryString, flags);
  checkParameters(queryString, flags);
  warnIfUnread(flags, 'To query its lines, use "logclient query --stdin".');
  // Without events, the service has no row that shows it.
  const isWithoutEvents =
    aggregateOf(queryString) !== undefined && !(resultFields(queryString)?.has('@id') ?? true);
  if (isWithoutEvents) throw usageFailure(NO_EVENTS);
  const { exclude = [] } = flags;
  endlessOutputSignal();
  await withService(flags, {}, async (service) => {
    const { client, signal, settings } = service;
    await writer.begin({ isAggregate: false, columns: undefined, isEndless: true });
    if (writer.surface.isTerminal) {
      writer.surface.warn(
        `tailing ${settings.repository?.value} at ${settings.url.value}; press Ctrl-C to stop.`,
      );
      void explainSilence(queryString, service, writer);
    }
    try {
      for await (const event of client.tail<Row>(queryString, {
        ...tailOptions(flags, writer, settings),
        signal,
      })) {
        if (exclude.some((pattern) => rawText(event).search(pattern) !== -1)) continue;
        await writer.write([event]);
        if (writer.written === flags.limit) break;
      }
    } catch (error) {
      const isAggregate = error instanceof LogQueryException && /watch\(\)|aggregate/i.test(error.message);
      throw isAggregate ? usageFailure(NO_EVENTS) : error;
    }
    await writer.end();
    throwUnlessCtrlC(signal);
  });
}

/** Reports names in a query that no recent event has, unless the query has found events by then. */
async function explainSilence(
  queryString: string,
  { client, signal }: Service,
  writer: RowWriter,
): Promise<void> {
  const options = { limit: PAGE_EVENTS, signal, onWarning: () => {} };
  const recent = await client.query<Row>('', options).catch(() => []);
  if (recent.length === 0 || writer.written > 0) return;
  for (const hint of noMatchHints(queryString, recent, 'recent event')) writer.surface.warn(hint);
}

function tailOptions(
  { since, last = DEFAULT_LAST, limit = last, exclude, param, timezone }: TailFlags,
  { surface }: RowWriter,
  settings: ConnectionSettings,
): TailOptions {
  const { start } = intervalOf({ since, timezone });
  return {
    ...(start === undefined
      ? { last: Math.min(last, exclude === undefined ? limit : last) }
      : { since: start === 'now' ? Date.now() : start }),
    arguments: param,
    ...outageReports(surface.warn, settings),
    onSkip: ({ from, to }: TailSkip) => {
      const [begin, end] = [from, to].map((time) => timeText(String(time), surface.timeZone));
      surface.warn(`events from ${begin} to ${end} may be missing: too many arrived at once.`);
    },
  };
}

/** Reports when the connection of a live query is lost, and when it works again. */
export function outageReports(warn: (message: string) => void, settings: ConnectionSettings) {
  const outage = new Outage(warn);
  return {
    onReconnect: ({ attempt, error }: TailReconnect) => {
      // A connection that was closed because it was idle is not worth a message: the first attempt succeeds.
      const { message = '' } = (describeFailure(error, settings) ?? {}) as Partial<Error>;
      if (attempt > 1) outage.failed(`connection lost; reconnecting … ${message}`.trim(), attempt - 1);
    },
    onAlive: () => outage.ended('connected again.'),
  };
}
