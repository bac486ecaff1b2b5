import { tryOr } from '../../core/try-or.ts';
import {
  aggregateOf,
  applyEdit,
  check,
  type Diagnostic,
  describeProblem,
  parse,
  positionAt,
} from '../../language/index.ts';
import { Answer } from './answer.ts';
import type { Logs } from './log-source.ts';

/**
 * Checks a query before it is sent. A service may have functions that this version does not know, so only syntax errors
 * stop a query of a service.
 *
 * @returns warnings to show with the result.
 * @throws Error if the query can't run.
 */
export function checkBeforeRun(query: string, { isLocal }: Logs): readonly string[] {
  const problems = check(query).filter(({ severity }) => severity !== 'info');
  const errors = problems.filter(({ severity }) => severity === 'error');
  const tree = tryOr(undefined, () => parse(query));
  if (errors.length > 0 && (isLocal || tree === undefined)) {
    throw new Error(
      `the query was not run, because it is invalid.\n${describeProblems(query, errors)}\nThe tool "help" explains the language and its functions.`,
    );
  }
  // The local server returns its own warnings with the result.
  return isLocal ? [] : problems.map(({ message }) => `Warning: ${message}`);
}

/** Starts the response to a call that selects events with warnings. @throws Error unless its query only filters and changes events. */
export function answerTo(
  { query = '', maxTokens }: { readonly query?: string | undefined; readonly maxTokens: number },
  logs: Logs,
): Answer {
  const aggregate = aggregateOf(query);
  if (aggregate !== undefined) {
    throw new Error(
      `"query" must only filter events, and ${aggregate}() aggregates them. Pass the part of the query before it, or use the tool "query".`,
    );
  }
  const answer = new Answer(maxTokens);
  for (const warning of checkBeforeRun(query, logs)) answer.say(warning);
  return answer;
}

/** Each problem with the place, the line with a caret, and the fix. */
export function describeProblems(query: string, problems: readonly Diagnostic[]): string {
  return problems.map((problem) => describe(query, problem)).join('\n\n');
}

function describe(query: string, { severity, code, message, span, fix, isSuggestion }: Diagnostic): string {
  const { line, column } = positionAt(query, span.start);
  const { excerpt } = describeProblem(query, span, message);
  const parts = [`${severity} ${code} at line ${line}, column ${column}: ${message}`, excerpt];
  if (fix !== undefined) {
    parts.push(`${isSuggestion ? 'suggestion' : 'fix'}: ${applyEdit(query, fix)}`);
  }
  return parts.join('\n');
}
