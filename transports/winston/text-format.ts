import { isDeepStrictEqual } from 'node:util';
import { MESSAGE } from './symbols.ts';
import type { WinstonInfo } from './winston-event.ts';

/** A winston format. */
export interface Format {
  readonly options?: unknown;
  transform(info: object, options: unknown): unknown;
}

/** The class of winston that every logger extends. */
type LoggerClass = new (options: object) => { readonly format: Format };

/** The transform of `format.json()` in each known copy of logform. */
const jsonTransforms = new WeakSet<Format['transform']>();

/**
 * Learns the transform of `format.json()` from the copy of winston that made a logger, where it is the default format.
 * A program may have several copies of winston and logform.
 */
export function learnJson(logger: object): void {
  try {
    const Logger = loggerClassOf(logger);
    if (Logger === undefined) return;
    const { format } = new Logger({});
    if (addsJson(format)) jsonTransforms.add(format.transform);
  } catch {
    // Something other than winston has piped to the transport.
  }
}

/** Skips the program's subclasses of winston's class. */
function loggerClassOf(logger: object): LoggerClass | undefined {
  let found: LoggerClass | undefined;
  for (let each: object | null = logger; each !== null; each = Object.getPrototypeOf(each)) {
    if (Object.hasOwn(each, 'configure')) found = each.constructor as LoggerClass;
  }
  return found;
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
export function lazyText(format: Format): (info: WinstonInfo) => unknown {
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
