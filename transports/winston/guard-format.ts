import { LEVEL, MESSAGE, SPLAT } from 'triple-beam';
import type TransportStream from 'winston-transport';
import { safeJsonObject, safeProperty, throwsText } from '../../src/ingest/safe-json.ts';
import { type WinstonInfo, winstonFields } from './winston-event.ts';

type Info = Record<string | symbol, unknown>;

interface Format {
  readonly options?: unknown;
  transform(info: object, options: unknown): unknown;
}

interface Logger {
  format?: unknown;
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
 * on very deep objects, before any transport sees the record.
 */
export function guardFormats(transport: TransportStream): void {
  if (isFormat(transport.format)) transport.format = guardFormat(transport.format);
  transport.on('pipe', (source: object) => guardLogger(ownerOfFormat(source), transport));
  transport.on('unpipe', (source: object) => unguardLogger(ownerOfFormat(source), transport));
}

/**
 * A format that does what the given one does. When that throws, it is called again with a copy of the info that holds
 * nothing but plain data, and so does all that it is for, such as taking secrets out. When it throws at that too, just
 * the level and the message remain, with `formatError`: other fields would be ones that it has not seen.
 */
export function guardFormat<T extends Format>(format: T): T {
  const transform = (info: WinstonInfo, options: unknown): unknown => {
    const before = copyOf(info);
    try {
      return format.transform(info, options);
    } catch {
      return transformPlain(format, before ?? info, options);
    }
  };
  return Object.create(format, { transform: { value: transform, configurable: true, writable: true } });
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
  const guard = guardFormat(format);
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

/** What the info is before the format, which may change it and then throw. */
function copyOf(info: WinstonInfo): WinstonInfo | undefined {
  try {
    if (info instanceof Error) return undefined; // Its texts would not be copied along.
    const copy: Info = { ...info };
    if (Array.isArray(copy[SPLAT])) copy[SPLAT] = [...copy[SPLAT]];
    return copy;
  } catch {
    return undefined; // A getter or a proxy that throws.
  }
}

function transformPlain(format: Format, info: WinstonInfo, options: unknown): unknown {
  const plain = plainInfo(info);
  const { level, message, exception, rejection } = plain;
  try {
    return format.transform(plain, options);
  } catch (error) {
    const rest: Info = { level, message, formatError: throwsText(error) };
    if (exception === true) rest.exception = true;
    if (rejection === true) rest.rejection = true;
    rest[LEVEL] = plain[LEVEL];
    rest[MESSAGE] = safeJsonObject(rest);
    return rest;
  }
}

function plainInfo(info: WinstonInfo): Info {
  const plain = plainData(winstonFields(info));
  plain[LEVEL] = safeProperty(info, LEVEL) ?? plain.level;
  const splat = safeProperty(info, SPLAT);
  if (Array.isArray(splat)) plain[SPLAT] = plainData({ splat }).splat;
  return plain;
}

function plainData(value: object): Info {
  return JSON.parse(safeJsonObject(value));
}
