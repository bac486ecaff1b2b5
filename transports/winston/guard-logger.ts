import type { Duplex } from 'node:stream';
import { guardFormat } from './guard-format.ts';
import { addsOnlyText, type Format, learnJson, type TextReaders } from './text-format.ts';
import type { TransportStream } from './transport-stream.ts';

/** What is used of a winston logger, and may be missing when something else is piped from. */
interface Logger
  extends Partial<Pick<Duplex, 'writableLength' | 'readableFlowing' | 'readableLength' | 'listenerCount'>> {
  format?: unknown;
  readonly transports?: readonly object[];
}

/** Whether nobody but a transport of ours sees what it is given, so that just the fields are read. */
type ReadsFieldsAlone = () => boolean;

/** A logger's format and the guard that stands in its place, while transports of ours are piped to. */
interface Guarded {
  readonly format: Format;
  readonly guard: Format;
  readonly transports: Map<object, ReadsFieldsAlone>;
}

const guarded = new WeakMap<Logger, Guarded>();

/**
 * Keeps what a logger's format can't read from throwing out of the log call, for as long as the transport is piped to.
 * A format of the transport's own is guarded as well.
 *
 * winston's default format writes JSON, and throws on getters and `toJSON` methods that throw, on hostile proxies and
 * on very deep objects, before any transport sees the record. Where all transports are ours, which read the fields, that
 * JSON is only written if somebody else asks for it.
 */
export function guardFormats(transport: TransportStream, readsFieldsAlone: ReadsFieldsAlone): void {
  const { format } = transport;
  if (isFormat(format)) {
    transport.format = guardFormat(format, () => (readsFieldsAlone() ? 'none' : 'unknown'));
  }
  transport.on('pipe', (source: object) => guardLogger(ownerOfFormat(source), transport, readsFieldsAlone));
  transport.on('unpipe', (source: object) => unguardLogger(ownerOfFormat(source), transport));
}

function guardLogger(logger: Logger, transport: object, readsFieldsAlone: ReadsFieldsAlone): void {
  const present = guarded.get(logger);
  if (present !== undefined && present.guard === logger.format) {
    present.transports.set(transport, readsFieldsAlone);
    return;
  }
  const { format } = logger;
  if (!isFormat(format)) return;
  if (!addsOnlyText(format)) learnJson(logger);
  const transports = new Map(present?.transports).set(transport, readsFieldsAlone);
  const guard: Format = guardFormat(format, () => textReaders(logger, guard, transports));
  guarded.set(logger, { format, guard, transports });
  logger.format = guard;
}

function unguardLogger(logger: Logger, transport: object): void {
  const present = guarded.get(logger);
  if (present === undefined || !present.transports.delete(transport) || present.transports.size > 0) return;
  guarded.delete(logger);
  if (logger.format === present.guard) logger.format = present.format;
}

function textReaders(logger: Logger, guard: Format, ours: Guarded['transports']): TextReaders {
  const piped = logger.transports;
  if (piped === undefined || !piped.every((each) => ours.has(each))) return 'others';
  // The program may use the format for something else, such as another logger.
  const isAtWork = logger.format === guard && (logger.writableLength ?? 0) > 0;
  // What waits in the logger may yet be read by a transport that is added meanwhile.
  const isPassedOn = isAtWork && logger.readableFlowing === true && logger.readableLength === 0;
  // Each pipe is a listener.
  const isPipedAlone = isPassedOn && logger.listenerCount?.('data') === piped.length;
  const needsText = (transport: { format?: unknown }): boolean =>
    transport.format !== undefined || ours.get(transport)?.() !== true;
  return isPipedAlone && !piped.some(needsText) ? 'none' : 'unknown';
}

/** A child logger inherits the format of its parent, and that is the one in use. */
function ownerOfFormat(logger: object): Logger {
  let owner: object | null = logger;
  while (owner !== null && !Object.hasOwn(owner, 'format')) owner = Object.getPrototypeOf(owner);
  return owner ?? logger;
}

function isFormat(value: unknown): value is Format {
  return typeof value === 'object' && value !== null && typeof (value as Format).transform === 'function';
}
