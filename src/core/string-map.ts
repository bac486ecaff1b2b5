import { LogOptionsException } from './errors.ts';
import { describe, isRecord } from './option-checks.ts';

/** An object of strings. `undefined` is omitted; numbers become text, if accepted. @throws LogOptionsException */
export function requireStringMap(
  owner: string,
  name: string,
  value: unknown,
  numbers = false,
): Record<string, string> {
  if (!isRecord(value)) {
    throw new LogOptionsException(
      `${owner}: "${name}" must be an object of strings (got ${describe(value)}).`,
    );
  }
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  const wrong = members.find(([, item]) => typeof item !== 'string' && !(numbers && Number.isFinite(item)));
  if (wrong === undefined) return Object.fromEntries(members.map(([key, item]) => [key, String(item)]));
  throw new LogOptionsException(
    `${owner}: "${name}" must contain only strings (got ${describe(wrong[1])} for ${JSON.stringify(wrong[0])}). Convert it with String().`,
  );
}
