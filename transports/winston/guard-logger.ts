import type TransportStream from 'winston-transport';
import { guardFormat } from './guard-format.ts';
import type { Format } from './text-format.ts';

interface Logger {
  format?: unknown;
  readonly transports?: readonly object[];
}

/** A logger's format and the guard that stands in its place, while transports of ours are piped to. */
interface Guarded {
  readonly format: Format;
  readonly guard: Format;
  readonly transports: Set<object>;
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
export function guardFormats(transport: TransportStream): void {
  if (isFormat(transport.format)) transport.format = guardFormat(transport.format, () => true);
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
  const transports = new Set(present?.transports).add(transport);
  const isTextUnread = (): boolean => logger.transports?.every((each) => transports.has(each)) ?? false;
  const guard = guardFormat(format, isTextUnread);
  guarded.set(logger, { format, guard, transports });
  logger.format = guard;
}

function unguardLogger(logger: Logger, transport: object): void {
  const present = guarded.get(logger);
  if (present === undefined || !present.transports.delete(transport) || present.transports.size > 0) return;
  guarded.delete(logger);
  if (logger.format === present.guard) logger.format = present.format;
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
