import { safeJsonObject, safeProperty, throwsText } from '../../src/ingest/record/safe-json.ts';
import { LEVEL, MESSAGE, SPLAT } from './symbols.ts';
import { addsOnlyText, type Format, lazyText, type TextReaders } from './text-format.ts';
import { type WinstonInfo, winstonFields } from './winston-event.ts';

type Transform = (info: WinstonInfo, options: unknown) => unknown;

type Info = Record<string | symbol, unknown>;

/**
 * A format that does what the given one does. When that throws, it is called again with a copy of the info that holds
 * nothing but plain data, and so does all that it is for, such as taking secrets out. When it throws at that too, just
 * the level and the message remain, with `formatError`: other fields would be ones that it has not seen.
 *
 * @param textReaders decides whether a text has to be made that is all that the format adds to an info.
 */
export function guardFormat<T extends Format>(format: T, textReaders: () => TextReaders): T {
  const textGuard = guardText(format, textReaders);
  const changesGuard = guardChanges(format);
  // A transport has its own format before a logger pipes to it.
  const transform: Transform = (info, options) =>
    addsOnlyText(format) ? textGuard(info, options) : changesGuard(info, options);
  return Object.create(format, { transform: { value: transform, configurable: true, writable: true } });
}

function guardChanges(format: Format): Transform {
  return (info, options) => {
    const before = copyOf(info);
    try {
      return format.transform(info, options);
    } catch {
      return transformPlain(format, before ?? info, options);
    }
  };
}

/** Of a format that leaves the fields as they are. */
function guardText(format: Format, textReaders: () => TextReaders): Transform {
  const write: Transform = (info, options) => {
    try {
      return format.transform(info, options);
    } catch {
      return transformPlain(format, info, options);
    }
  };
  const withLazyText = lazyText({ transform: write, options: format.options });
  return (info, options) => {
    const readers = textReaders();
    if (readers === 'none') return info;
    try {
      if (readers === 'unknown') return withLazyText(info);
    } catch {
      // An info that can't be changed.
    }
    return write(info, options);
  };
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
