import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createPinoStream } from '../../../transports/pino/index.ts';
import { STREAM_SYMBOL, symbolOf } from '../../../transports/pino/logger-streams.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { addNames, flattenFields } from '../expectations/field-pattern.ts';
import {
  CAPTURE_DELIVERY,
  type CaptureConnection,
  type CapturedLogger,
  type KnownFields,
  LoggerDelivery,
  timeInTurn,
} from './capture-delivery.ts';

/** The parts of a pino logger that a capture uses. */
export interface PinoLogger {
  readonly version: string;
  readonly level: string;
  readonly levels: { readonly labels: Readonly<Record<string, string>> };
  readonly onChild?: ((child: never) => void) | undefined;
  child(bindings: object): unknown;
  isLevelEnabled(level: string): boolean;
}

/** Description of the symbol for the start of each line, by the number of the level. */
const LEVEL_TEXTS = 'pino.lsCache';

/** The loggers that tests capture, by their listeners. */
const captured = new Map<object, PinoLogger>();

/** pino publishes each serialized line there. */
const LINE_CHANNEL = 'tracing:pino_asJson:end';

/** pino's own time, directly behind the level. */
const OWN_TIME = /(?<=^\{(?:"[^"\\]*":(?:\d+|"[^"\\]*"),)?"time":)(?:\d{13}|"[^"\\]*Z")(?=[,}])/;

export function isPinoLogger(logger: object): logger is PinoLogger {
  const { version, levels, child } = logger as Partial<PinoLogger>;
  return typeof version === 'string' && typeof levels?.labels === 'object' && typeof child === 'function';
}

/**
 * Ships a copy of the records of a pino logger and its children, regardless of their streams.
 *
 * @throws LogOptionsException for a version of pino without diagnostics channels.
 */
export function capturePino(
  logger: PinoLogger,
  connection: CaptureConnection,
  quiet: boolean,
): CapturedLogger {
  const [major = 0, minor = 0] = logger.version.split('.').map(Number);
  if (major < 9 || (major === 9 && minor < 10))
    throw new LogOptionsException(
      `capture requires pino 9.10 or later (got ${logger.version}). With an older version, log to a stream in the test: const stream = createPinoStream(logs.connection); pino(stream); logs.track(stream).`,
    );
  const restore = quiet ? silence(logger) : () => {};
  const stream = createPinoStream({ ...connection, ...CAPTURE_DELIVERY });
  const delivery = new LoggerDelivery('captured pino logger', [stream]);
  const family = new Set([logger]);
  const unfollow = followChildren(logger, family);
  let labels: unknown;
  const onLine = (message: unknown): void => {
    const { instance, result }: { readonly instance?: unknown; readonly result?: unknown } = Object(message);
    if (typeof result !== 'string') return;
    delivery.hasStranger ||= ![...captured.values()].some((each) => belongsTo(each, instance));
    if (!belongsTo(logger, instance)) return;
    delivery.hasMissed ||= stream.writableEnded;
    if (stream.writableEnded) return;
    family.add(instance);
    if (instance.levels.labels !== labels) {
      // A child may have different levels.
      labels = instance.levels.labels;
      // As pino passes the levels of a logger to its stream.
      stream.emit('message', { code: 'PINO_CONFIG', config: { levels: instance.levels } });
    }
    const { streamWrite = String } = Object(Object(instance)[symbolOf(instance, 'pino.hooks')!]);
    const line: string = streamWrite(result);
    stream.write(line.replace(OWN_TIME, (time) => JSON.stringify(timeInTurn(JSON.parse(time)))));
  };
  subscribe(LINE_CHANNEL, onLine);
  captured.set(onLine, logger);
  delivery.unwatch = () => {
    unsubscribe(LINE_CHANNEL, onLine);
    captured.delete(onLine);
  };
  return {
    delivery,
    flush: () => new Promise<void>((resolve) => stream.flush(resolve)),
    levels: () => pinoLevels(family),
    messageKey: messageKeyOf(logger),
    async stop() {
      unfollow();
      restore();
      await new Promise<void>((resolve) => stream.end(resolve));
    },
  };
}

/** Adds the children that a logger creates from now on. @returns a function that ends it. */
export function followChildren(logger: PinoLogger, family: Set<PinoLogger>): () => void {
  const { onChild } = logger;
  addNames(logger.levels.labels, messageKeyOf(logger));
  return replaceMember(logger, 'onChild', (child: PinoLogger) => {
    addNames(child.levels.labels);
    family.add(child);
    onChild?.call(logger, child as never);
  });
}

/** The levels that any of these loggers logs from a number on, as its formatter writes them. */
export function pinoLevels(family: ReadonlySet<PinoLogger>, lowest = 0): KnownFields[] {
  return [...family].flatMap((logger) => {
    const cache = Object(logger)[symbolOf(logger, LEVEL_TEXTS)!] ?? {};
    const all = Object.entries(logger.levels.labels).filter(([number]) => Number(number) >= lowest);
    const enabled = all.filter(([, label]) => logger.isLevelEnabled(label));
    return enabled.map(([number, label]) => {
      const fields = JSON.parse(`${cache[number] ?? '{"level":0'}}`);
      if (typeof fields.level === 'number') return { ...fields, level: label };
      return Object.fromEntries(flattenFields('capture', fields)) as KnownFields;
    });
  });
}

/** The field for the message; `undefined` if it is unknown. */
export function messageKeyOf(logger: PinoLogger): string | undefined {
  return Object(logger)[symbolOf(logger, 'pino.messageKey')!];
}

/** Replaces the logger's stream with one that drops everything. */
function silence(logger: PinoLogger): () => void {
  const destination = { write: () => true, flush: (callback?: () => void) => callback?.() };
  return replaceMember(logger, symbolOf(logger, STREAM_SYMBOL)!, destination);
}

/** @returns a function that restores the member. */
function replaceMember(logger: PinoLogger, name: string | symbol, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(logger, name);
  Object.defineProperty(logger, name, { value, configurable: true, enumerable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(logger, name);
    else Object.defineProperty(logger, name, before);
  };
}

/** Whether it is the logger or a child, which has its parent as its prototype. */
export function belongsTo(logger: object, instance: unknown): instance is PinoLogger {
  return instance === logger || Object.prototype.isPrototypeOf.call(logger, instance as object);
}
