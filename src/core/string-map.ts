import { LogOptionsException } from './errors.ts';
import { describe, isRecord } from './option-checks.ts';

/** @throws LogOptionsException unless `value` is an object whose values are all strings, or `undefined` if allowed. */
export function requireStringMap(
  owner: string,
  name: string,
  value: unknown,
  isSparse = false,
): Record<string, string> {
  if (!isRecord(value)) {
    throw new LogOptionsException(
      `${owner}: "${name}" must be an object of strings (got ${describe(value)}).`,
    );
  }
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string' || (isSparse && member === undefined)) continue;
    throw new LogOptionsException(
      `${owner}: "${name}" must contain only strings (got ${describe(member)} for ${JSON.stringify(key)}). Convert it with String().`,
    );
  }
  return { ...value } as Record<string, string>;
}
