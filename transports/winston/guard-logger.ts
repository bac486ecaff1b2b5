import { addsOnlyText, type Format, guardFormat, learnJson } from './guard-format.ts';
import type { TransportStream } from './transport-stream.ts';

/** Members of a winston logger. Other streams that are piped to the transport may lack them. */
interface Logger {
  format?: unknown;
  readonly transports?: readonly object[];
}

/** A logger's format and the guard that replaces it while the logger pipes to transports of this package. */
interface Guarded {
  readonly format: Format;
  readonly guard: Format;
  readonly transports: Set<object>;
}

const guarded = new WeakMap<Logger, Guarded>();

/**
 * Guards the format of each logger that pipes to the transport, and the transport's own format, so that log calls do not
 * throw.
 *
 * winston's default format writes JSON. It throws on throwing getters and `toJSON` methods, on proxies and on very deep
 * objects, before any transport receives the record. The transports of this package read the fields. If a logger has no
 * others, the JSON is only written when it is read.
 */
export function guardFormats(transport: TransportStream): void {
  const { format } = transport;
  if (isFormat(format)) transport.format = guardFormat(format, () => true);
  transport.on('pipe', (source: object) => guardLogger(ownerOfFormat(source), transport));
  transport.on('unpipe', (source: object) => unguardLogger(ownerOfFormat(source), transport));
}

function guardLogger(logger: Logger, transport: object): void {
  const present = guarded.get(logger);
  if (present !== undefined && present.guard === logger.format) {
    present.transports.add(transport);
    return;
  }
  const { format } = logger;
  if (!isFormat(format)) return;
  if (!addsOnlyText(format)) learnJson(logger);
  const transports = new Set(present?.transports).add(transport);
  // Other transports may read the text after the fields have changed.
  const guard = guardFormat(format, () => logger.transports?.every((each) => transports.has(each)) ?? false);
  guarded.set(logger, { format, guard, transports });
  logger.format = guard;
}

function unguardLogger(logger: Logger, transport: object): void {
  const present = guarded.get(logger);
  if (present === undefined || !present.transports.delete(transport) || present.transports.size > 0) return;
  guarded.delete(logger);
  if (logger.format === present.guard) logger.format = present.format;
}

/** Child loggers inherit the format of their parent. */
function ownerOfFormat(logger: object): Logger {
  let owner: object | null = logger;
  while (owner !== null && !Object.hasOwn(owner, 'format')) owner = Object.getPrototypeOf(owner);
  return owner ?? logger;
}

function isFormat(value: unknown): value is Format {
  return typeof value === 'object' && value !== null && typeof (value as Format).transform === 'function';
}
