import { LogOptionsException } from './errors.ts';
import { describe, isRecord } from './option-checks.ts';

/** An object of strings. Members that are `undefined` are omitted if it is sparse. @throws LogOptionsException */
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
  const members = Object.entries(value).filter(([, member]) => !isSparse || member !== undefined);
  const wrong = members.find(([, member]) => typeof member !== 'string');
  if (wrong === undefined) return Object.fromEntries(members) as Record<string, string>;
  throw new LogOptionsException(
    `${owner}: "${name}" must contain only strings (got ${describe(wrong[1])} for ${JSON.stringify(wrong[0])}). Convert it with String().`,
  );
}
