import { LogOptionsException } from '../errors.ts';
import { describe } from '../option-checks.ts';

/**
 * An API path in which every value is one segment:
 *
 * ```ts
 * path`repositories/${repository}/files/${name}`
 * ```
 *
 * @throws LogOptionsException for an empty value, and for `.` and `..`, which URL parsers resolve even if escaped.
 */
export function path(literals: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: literals }, ...values.map(segment));
}

function segment(value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new LogOptionsException(`A name in a path must be a non-empty string (got ${describe(value)}).`);
  }
  if (value === '.' || value === '..') {
    throw new LogOptionsException(
      `${JSON.stringify(value)} can't be used as a name because it would change the path.`,
    );
  }
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new LogOptionsException('A name in a path must be well-formed Unicode.', { cause });
  }
}
