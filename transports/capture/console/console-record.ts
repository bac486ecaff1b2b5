import { format, stripVTControlCharacters } from 'node:util';
import { isError } from '../../../src/core/is-error.ts';
import { isRecord } from '../../../src/core/option-checks.ts';
import { addFields } from '../../../src/ingest/kit/record-fields.ts';
import { safeText, throwsText } from '../../../src/ingest/record/safe-json.ts';
import type { ConsoleCall } from './patch-console.ts';

/** The fields of a record: `level`, `message` as printed without colors, the fields of plain objects, and `error`. Never throws. */
export function consoleRecord({ level, args, method }: ConsoleCall): Record<string, unknown> {
  const message = orThrowsText(() => stripVTControlCharacters(format(...args)));
  const fields: Record<string, unknown> = { level, message };
  for (const arg of args) orThrowsText(() => isRecord(arg) && addFields(fields, arg));
  fields.message = message;
  fields.error = args.find(isError) ?? fields.error;
  if (level !== 'trace') return fields;
  const trace = { name: 'Trace', message };
  Error.captureStackTrace(trace, method);
  return Object.assign(fields, { stack: (trace as Partial<Error>).stack });
}

/** The fields of an uncaught exception or an unhandled rejection. */
export function crashRecord(error: unknown, origin: string): Record<string, unknown> {
  return { level: 'fatal', message: `${origin}: ${safeText(error)}`, origin, error };
}

/** Arguments may be proxies, or have methods that throw. */
function orThrowsText<T>(call: () => T): T | string {
  try {
    return call();
  } catch (error) {
    return throwsText(error);
  }
}
