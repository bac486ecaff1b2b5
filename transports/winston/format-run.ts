import { isDeepStrictEqual } from 'node:util';
import { isError } from '../../src/core/is-error.ts';
import { tryOr } from '../../src/core/try-or.ts';
import { safeJsonObject, safeProperty, throwsText } from '../../src/ingest/record/safe-json.ts';
import { LEVEL, MESSAGE, SPLAT, type WinstonInfo, winstonFields } from './winston-event.ts';

export interface Format {
  readonly options?: unknown;
  transform(info: object, options: unknown): unknown;
}

type Info = Record<string | symbol, unknown>;

/** The transform of `format.json()`, winston's default, in each known copy of logform: a program may have several. */
const jsonTransforms = new WeakSet<Format['transform']>();

const lazyTexts = new WeakMap<Format, PropertyDescriptor>();

/** Classes of loggers whose default format is known. */
const learned = new WeakSet<object>();

/**
 * Runs a format. Never throws: winston's default format does, on throwing getters and `toJSON` methods, on proxies and on
 * very deep objects. The format then runs again with a plain copy of the info, so that it can still do its work, such as
 * redacting secrets. If it throws again, the record keeps its level and message, and gets a field `formatError`. Other
 * fields are dropped, because the format has not processed them.
 *
 * @param isLazy if true, the text of a format that only adds text is created when it is first read.
 */
export function runFormat(format: Format, info: WinstonInfo, isLazy: boolean): unknown {
  if (isLazy && addsOnlyText(format)) {
    try {
      return Object.defineProperty(info, MESSAGE, lazyText(format));
    } catch {
      // A frozen info.
    }
  }
  const before = copyOf(info);
  try {
    return format.transform(info, format.options);
  } catch {
    return runPlain(format, before);
  }
}

/** The format may change the info and then throw. */
function copyOf(info: WinstonInfo): WinstonInfo {
  if (isError(info)) return info; // Its message and stack would not be copied.
  return tryOr(info, () => {
    const copy: Info = { ...info };
    if (Array.isArray(copy[SPLAT])) copy[SPLAT] = [...copy[SPLAT]];
    return copy;
  });
}

function runPlain(format: Format, info: WinstonInfo): unknown {
  const plain = plainInfo(info);
  const { level, message, exception, rejection } = plain;
  try {
    return format.transform(plain, format.options);
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

/** Learns the transform of `format.json()` from winston's class, which the class of a logger extends. */
export function learnJson(logger: object): void {
  const { constructor: Logger } = Object.getPrototypeOf(Object.getPrototypeOf(logger)) ?? logger;
  if (learned.has(Logger)) return;
  learned.add(Logger);
  tryOr(undefined, () => {
    const { format } = new Logger({}) as { format: Format };
    const info = { level: 'info', message: '' };
    const text = JSON.stringify(info);
    // Another version of winston may have another default format.
    const isJson = format.transform(info, format.options) === info;
    if (isJson && isDeepStrictEqual({ ...info }, { ...JSON.parse(text), [MESSAGE]: text })) {
      jsonTransforms.add(format.transform);
    }
  });
}

/** True for a format that only adds JSON to the info. With a replacer, it may have other effects. */
function addsOnlyText({ transform, options }: Format): boolean {
  return (
    jsonTransforms.has(transform) && (options as { replacer?: unknown } | undefined)?.replacer === undefined
  );
}

/** Accessors that create the text of such a format. They are the same for all records: others would make each slow. */
function lazyText(format: Format): PropertyDescriptor & ThisType<WinstonInfo> {
  const known = lazyTexts.get(format);
  if (known !== undefined) return known;
  const shared = { configurable: true, enumerable: true };
  const keep = (info: object, value: unknown): unknown =>
    Object.defineProperty(info, MESSAGE, { ...shared, writable: true, value });
  const lazy: PropertyDescriptor & ThisType<WinstonInfo> = {
    ...shared,
    get() {
      keep(this, undefined); // Before it is copied.
      const { [MESSAGE]: text } = runFormat(format, this, false) as WinstonInfo;
      keep(this, text);
      return text;
    },
    set(text: unknown) {
      keep(this, text);
    },
  };
  lazyTexts.set(format, lazy);
  return lazy;
}
