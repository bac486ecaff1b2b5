import { isDeepStrictEqual } from 'node:util';
import { isError } from '../../src/core/is-error.ts';
import { safeJsonObject, safeProperty, throwsText } from '../../src/ingest/record/safe-json.ts';
import { LEVEL, MESSAGE, SPLAT, type WinstonInfo, winstonFields } from './winston-event.ts';

export interface Format {
  readonly options?: unknown;
  transform(info: object, options: unknown): unknown;
}

/** The class of winston that every logger extends. */
type LoggerClass = new (options: object) => { readonly format: Format };

/** The transform of `format.json()` in each known copy of logform. */
const jsonTransforms = new WeakSet<Format['transform']>();

type Transform = (info: WinstonInfo, options: unknown) => unknown;

type Info = Record<string | symbol, unknown>;

/**
 * Wraps a format so that it never throws. If the format throws, it is called again with a plain copy of the info, so
 * that it can still do its work, such as redacting secrets. If it throws again, the record keeps its level and message,
 * and gets a field `formatError`. Other fields are dropped, because the format has not processed them.
 *
 * @param isLazy if true, the text of a format that only adds text is created when it is first read.
 */
export function guardFormat<T extends Format>(format: T, isLazy: () => boolean): T {
  // Decided per call: a transport's own format exists before `learnJson` knows its copy of winston.
  let isText = false;
  const write: Transform = (info, options) => {
    const before = isText ? info : copyOf(info);
    try {
      return format.transform(info, options);
    } catch {
      return transformPlain(format, before ?? info, options);
    }
  };
  const withLazyText = lazyText({ transform: write, options: format.options });
  const transform: Transform = (info, options) => {
    isText ||= addsOnlyText(format);
    try {
      if (isText && isLazy()) return withLazyText(info);
    } catch {
      // A frozen info.
    }
    return write(info, options);
  };
  return Object.create(format, { transform: { value: transform, configurable: true, writable: true } });
}

/** Copies the info before the format, which may change it and then throw. */
function copyOf(info: WinstonInfo): WinstonInfo | undefined {
  try {
    if (isError(info)) return undefined; // Its message and stack would not be copied.
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

/**
 * Learns the transform of `format.json()` from the copy of winston that made a logger, where it is the default format.
 * A program may have several copies of winston and logform.
 */
export function learnJson(logger: object): void {
  try {
    const Logger = loggerClassOf(logger)!;
    const { format } = new Logger({});
    if (addsJson(format)) jsonTransforms.add(format.transform);
  } catch {
    // Something other than winston has piped to the transport.
  }
}

/** Skips the program's subclasses of winston's class. */
function loggerClassOf(logger: object): LoggerClass | undefined {
  let loggerClass: LoggerClass | undefined;
  for (let each: object | null = logger; each !== null; each = Object.getPrototypeOf(each)) {
    if (Object.hasOwn(each, 'configure')) loggerClass = each.constructor as LoggerClass;
  }
  return loggerClass;
}

/** Another version of winston may have another default format. */
function addsJson(format: Format): boolean {
  const fields = { level: 'info', message: '' };
  const info = { ...fields };
  const result = format.transform(info, format.options);
  return result === info && isDeepStrictEqual(info, { ...fields, [MESSAGE]: JSON.stringify(fields) });
}

/** True for a format that only adds JSON to the info. With a replacer, it may have other effects. */
export function addsOnlyText({ transform, options }: Format): boolean {
  return (
    jsonTransforms.has(transform) && (options as { replacer?: unknown } | undefined)?.replacer === undefined
  );
}

/** Adds the text of such a format as a property that is computed when it is first read. */
function lazyText(format: Format): (info: WinstonInfo) => unknown {
  const lazy: PropertyDescriptor & ThisType<WinstonInfo> = {
    configurable: true,
    enumerable: true,
    get() {
      const shown = format.transform(this, format.options) as WinstonInfo;
      const text = shown[MESSAGE];
      keep(this, text);
      return text;
    },
    set(text: unknown) {
      keep(this, text);
    },
  };
  return (info) => Object.defineProperty(info, MESSAGE, lazy);
}

function keep(info: object, text: unknown): void {
  Object.defineProperty(info, MESSAGE, { value: text, configurable: true, enumerable: true, writable: true });
}
