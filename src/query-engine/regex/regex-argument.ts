import { regexWarnings } from '../../query-language/diagnostics/regex-syntax.ts';
import type { CallSite } from '../signature/call-site.ts';
import { compileRegex, type Regex, type RegexSource } from './regex.ts';
import { RegexError } from './regex-error.ts';

/** Compiles an argument that is a regular expression. Without flags, `^` and `$` match at lines. */
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
