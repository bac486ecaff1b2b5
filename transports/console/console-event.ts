import { format } from 'node:util';
import { safeText, throwsText } from '../../src/ingest/record/safe-json.ts';
import { addFields, isError } from '../kit/record-fields.ts';

/**
 * The fields of a record for what a console method prints. Never throws.
 *
 * @param method the called method; the stack of a `trace` starts at its caller.
 */
export function consoleFields(
  level: string,
  args: readonly unknown[],
  method: (...args: unknown[]) => void,
): Record<string, unknown> {
  const message = printedText(args);
  const fields: Record<string, unknown> = { level, message };
  for (const arg of args) {
    if (isPlainObject(arg)) addFields(fields, arg);
  }
  fields.message = message;
  const error = args.find(isError);
  if (error !== undefined) fields.error = error;
  if (level === 'trace') fields.stack = stackOf(message, method);
  return fields;
}

/** @param origin `uncaughtException` or `unhandledRejection` */
export function crashFields(error: unknown, origin: string): Record<string, unknown> {
  return { level: 'fatal', message: `${origin}: ${safeText(error)}`, origin, error };
}

/** As `console.trace` prints it. */
function stackOf(message: string, method: (...args: unknown[]) => void): string | undefined {
  const trace: { name: string; message: string; stack?: string } = { name: 'Trace', message };
  Error.captureStackTrace(trace, method);
  return trace.stack;
}

/** Without colors. */
function printedText(args: readonly unknown[]): string {
  try {
    return format(...args);
  } catch (error) {
    return throwsText(error);
  }
}

/** Of any realm, such as Jest's. */
function isPlainObject(value: unknown): value is object {
  try {
    if (typeof value !== 'object' || value === null) return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false; // A proxy.
  }
}
