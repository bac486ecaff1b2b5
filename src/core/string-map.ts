import { LogOptionsException } from './errors.ts';
import { describe, nullAdvice, requireObject } from './option-checks.ts';

/** An object of strings. `undefined` is omitted; numbers become text, if accepted. @throws LogOptionsException */
export function requireStringMap(
  owner: string,
  name: string,
  value: unknown,
  numbers = false,
): Record<string, string> {
  const given = Object.entries(requireObject(owner, `"${name}"`, value, ' of strings'));
  const members = given.filter(([, item]) => item !== undefined);
  const wrong = members.find(([, item]) => typeof item !== 'string' && !(numbers && Number.isFinite(item)));
  if (wrong === undefined) return Object.fromEntries(members.map(([key, item]) => [key, String(item)]));
  const kind = numbers ? 'strings and numbers' : 'strings';
  const advice = nullAdvice(wrong[1]) || ' Convert it with String().';
  throw new LogOptionsException(
    `${owner}: "${name}" must contain only ${kind} (got ${describe(wrong[1])} for ${JSON.stringify(wrong[0])}).${advice}`,
  );
}

/** The service adds the `#` to the name of a tag. @throws LogOptionsException */
export function requireTagName(owner: string, name: string): void {
  if (name !== '' && !name.startsWith('#')) return;
  throw new LogOptionsException(`${owner}: the tag name "${name}" must not start with "#".`);
}
