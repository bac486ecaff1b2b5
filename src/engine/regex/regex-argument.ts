import { regexWarnings } from '../../language/diagnostics/regex-warnings.ts';
import type { RegexSource } from '../../language/regex/regex-parser.ts';
import { compilePattern } from '../pattern-error.ts';
import type { CallSite } from '../signature/call-site.ts';
import type { Scope } from '../signature/scope.ts';
import { compileRegex, type Regex } from './regex.ts';

/** Compiles a regular expression of a query; `fail` is called with what is wrong, `scope` gets the warnings. */
export function compileRegexOf(source: RegexSource, scope: Scope, fail: (problem: string) => never): Regex {
  const regex = compilePattern('regular expression', fail, () => compileRegex(source));
  for (const { message } of regexWarnings(source.body)) scope.warn(message);
  return regex;
}

/** Compiles an argument that is a regular expression. Without flags, `^` and `$` match at lines. */
export function compileRegexArgument(
  source: RegexSource,
  flags: string | undefined,
  call: CallSite,
  parameter = 'regex',
): Regex {
  const withFlags = { body: source.body, flags: (flags ?? 'm') + source.flags };
  return compileRegexOf(withFlags, call.scope, (problem) => call.fail(problem, parameter));
}
