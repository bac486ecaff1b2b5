/** What `logclient/auto` loads when the program logs. */
import { EventEmitter } from 'node:events';
import { workerData } from 'node:worker_threads';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { writeErrorLine } from '../../../src/core/stderr-line.ts';
import { tryOr } from '../../../src/core/try-or.ts';
import { EventDelivery } from '../../../src/ingest/kit/event-delivery.ts';
import { resolveEventTransportOptions } from '../../../src/ingest/kit/event-transport-options.ts';
import type { IngestEvent } from '../../../src/ingest/record/ingest-event.ts';
import { isMarked } from '../../../src/ingest/report/transport-mark.ts';
import type { LineSink } from '../../../src/ingest/worker/line-sink.ts';
import { findStreams, symbolOf } from '../../pino/logger-streams.ts';
import { configLine } from '../../pino/pino-mapper.ts';
import { hookLogger, type RecordTaker } from '../../winston/logger-hook.ts';
import { accepts } from '../../winston/transport-stream.ts';
import { winstonEvent } from '../../winston/winston-event.ts';
import { consoleRecord, crashRecord } from '../console/console-record.ts';
import type { ConsoleCall } from '../console/patch-console.ts';
import { autoLineMapper, pinoLines } from './auto-mapper.ts';
import type { PinoLogger } from './patch-pino.ts';

const OWNER = 'logclient/auto';
const LINES = { mapperFor: autoLineMapper, mapper: 'auto' } as const;

/** Events go nowhere, but the delivery only lives as long as its owner. */
const owner = new EventEmitter();
const delivery = openDelivery();

interface PinoHooks {
  readonly streamWrite?: (line: string) => unknown;
}

const configs = new WeakMap<object, string>();

/** What the worker knows about the levels of pino's loggers. */
let configured: { readonly sink: LineSink; readonly line: string } | undefined;

export function addConsoleCall(call: ConsoleCall): void {
  delivery?.add({ attributes: consoleRecord(call) });
}

export function addCrash(error: unknown, origin: string): void {
  delivery?.add({ attributes: crashRecord(error, origin) });
}

/** Takes the records that at least one transport of the program logs, unless one of them is ours. */
const winstonTaker: RecordTaker = {
  take(info, call, logger) {
    const { transports = [] } = logger;
    if (transports.some(isMarked) || !transports.some((each) => accepts(each, logger, info))) return;
    delivery?.add(winstonEvent({ info, call }));
  },
};

/** Captures the records of a winston logger. Can be called again. */
export function captureWinston(logger: object): void {
  hookLogger(logger, winstonTaker);
}

/** Never throws. */
export function addPinoLine(logger: PinoLogger, line: string): void {
  if (delivery === undefined) return;
  const isOurs = findStreams(logger).some(isMarked);
  const text = isOurs ? undefined : asWritten(line, Object(logger)[symbolOf(logger, 'pino.hooks')!]);
  if (text === undefined) return;
  const { sink } = delivery;
  const config = configOf(logger);
  if (configured?.sink !== sink || configured.line !== config) {
    configured = { sink, line: config };
    sink.control(pinoLines(config).trimEnd());
  }
  sink.write(pinoLines(text));
}

/** The hook may remove secrets. @returns `undefined` if it throws: then pino does not write the line. */
function asWritten(line: string, hooks: PinoHooks | undefined): string | undefined {
  if (typeof hooks?.streamWrite !== 'function') return line;
  return tryOr(undefined, () => String(hooks.streamWrite?.(line)));
}

/** The line that sets the labels of a logger's levels. */
function configOf({ levels: { labels = {} } = {} }: PinoLogger): string {
  const config = configs.get(labels) ?? configLine(labels);
  configs.set(labels, config);
  return config;
}

/** @returns `undefined`, with a line on stderr, if the environment has no valid settings. */
function openDelivery(): EventDelivery<IngestEvent> | undefined {
  // Workers of pino's transports, and of ours, handle the records of other threads. thread-stream has started them.
  const state = (workerData as { stateBuf?: unknown } | null)?.stateBuf;
  if (state instanceof SharedArrayBuffer) return undefined;
  try {
    const options = resolveEventTransportOptions({}, OWNER);
    return new EventDelivery(owner, options, (event: IngestEvent) => event, LINES);
  } catch (error) {
    if (!(error instanceof LogOptionsException)) throw error;
    writeErrorLine(`logclient: nothing is captured. ${error.message}`);
    return undefined;
  }
}
