import { LogOptionsException } from '../errors.ts';
import { requireObject } from '../option-checks.ts';

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FORBIDDEN_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers that the connection sets. Other values would make every request fail before it is sent. */
const CONNECTION_HEADERS = ['content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect'];

/**
 * Validates a caller's headers and converts their names to lower case.
 *
 * @param token name of the option to set instead of the header `authorization`. Without it, the header is accepted.
 * @throws LogOptionsException that names the header, never its value.
 */
export function resolveHeaders(
  owner: string,
  headers: unknown,
  token?: string,
): Readonly<Record<string, string>> {
  if (headers === undefined) return {};
  const failure = (problem: string) => new LogOptionsException(`${owner} "headers": ${problem}`);
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(requireObject(owner, '"headers"', headers, ' of strings'))) {
    const key = name.toLowerCase();
    if (!NAME.test(name)) throw failure(`${JSON.stringify(name)} is not a valid name.`);
    if (CONNECTION_HEADERS.includes(key))
      throw failure(`the header "${name}" is managed by the connection. Remove it.`);
    if (token !== undefined && key === 'authorization')
      throw failure(`for the header "authorization", set "${token}".`);
    if (typeof value !== 'string' || FORBIDDEN_IN_VALUE.test(value))
      throw failure(`the value of the header "${name}" must be a string without control characters.`);
    resolved[key] = value;
  }
  return resolved;
}
