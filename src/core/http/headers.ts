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
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(requireObject(owner, '"headers"', headers, ' of strings'))) {
    if (!NAME.test(name)) {
      throw new LogOptionsException(`${owner} "headers": ${JSON.stringify(name)} is not a valid name.`);
    }
    if (CONNECTION_HEADERS.includes(name.toLowerCase())) {
      throw new LogOptionsException(
        `${owner} "headers": the header "${name}" is managed by the connection. Remove it.`,
      );
    }
    if (token !== undefined && name.toLowerCase() === 'authorization') {
      throw new LogOptionsException(`${owner} "headers": for the header "authorization", set "${token}".`);
    }
    if (typeof value !== 'string' || FORBIDDEN_IN_VALUE.test(value)) {
      throw new LogOptionsException(
        `${owner} "headers": the value of the header "${name}" must be a string without control characters.`,
      );
    }
    resolved[name.toLowerCase()] = value;
  }
  return resolved;
}
