import { format as formats } from 'logform';
import { MESSAGE } from 'triple-beam';
import type { WinstonInfo } from './winston-event.ts';

/** What winston calls a format. */
export interface Format {
  readonly options?: unknown;
  transform(info: object, options: unknown): unknown;
}

/**
 * Who might read the text that a format adds to an info: nobody; nobody that is known of, for whom it is made when it is
 * asked for; others than our transports, which may do so when the info is not what it was any more.
 */
export type TextReaders = 'none' | 'unknown' | 'others';

/** That of winston's default format, too, unless there are two copies of logform. */
const writeJson = formats.json().transform;

/**
 * Whether all that a format does is to add a text to the info, its JSON, which needs no doing where nobody reads it.
 * A replacer of the program's own might do anything.
 */
export function addsOnlyText({ transform, options }: Format): boolean {
  return transform === writeJson && (options as { replacer?: unknown } | undefined)?.replacer === undefined;
}

/** Gives infos the text of such a format, which is made when it is read for the first time. */
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
