import { regexWarnings } from '../../query-language/diagnostics/regex-syntax.ts';
import { type Fields, readField } from '../event.ts';
import { extractionStep } from '../operators/extraction.ts';
import { compileRegex, type Regex, type RegexSource } from '../regex/regex.ts';
import { RegexError } from '../regex/regex-error.ts';
import { fieldName, flag, integer, regexFlags, regexSource } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { defineFilter, optional, required, withDefault } from '../signature/function-spec.ts';

const LIMIT = 100;

/** Keeps events whose field matches a regular expression, and makes fields of its named groups. */
export const regex = defineFilter({
  name: 'regex',
  parameters: {
    regex: required(regexSource, { unnamed: true }),
    field: withDefault(fieldName, '@rawstring'),
    flags: optional(regexFlags),
    strict: withDefault(flag, true),
    repeat: withDefault(flag, false),
    limit: withDefault(integer({ min: 1, max: 10_000 }), LIMIT),
  },
  compile({ regex: source, field, flags, strict, repeat, limit }, call) {
    const compiled = compileRegexArgument(source, flags, call);
    if (compiled.isRepeating) call.fail('regex() does not support the flag g: use repeat=true', 'regex');
    const test = (row: Fields): boolean => {
      const value = readField(row, field);
      return !strict || (value !== undefined && compiled.test(value));
    };
    if (compiled.groups.length === 0 && !repeat) return { test };
    return { test, step: extractionStep(compiled, { field, repeat, limit, keepOthers: !strict }) };
  },
});

/** Compiles a regular expression that is an argument. Without flags of its own, `^` and `$` match at lines. */
export function compileRegexArgument(
  source: RegexSource,
  flags: string | undefined,
  call: CallSite,
  parameter = 'regex',
): Regex {
  try {
    const regex = compileRegex({ body: source.body, flags: (flags ?? 'm') + source.flags });
    for (const { message } of regexWarnings(source.body)) call.scope.warn(message);
    return regex;
  } catch (error) {
    if (error instanceof RegexError) {
      return call.fail(`Invalid regular expression: ${error.message}`, parameter);
    }
    throw error;
  }
}
