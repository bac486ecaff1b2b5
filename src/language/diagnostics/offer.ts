import type { Span } from '../ast.ts';
import { isQuery } from '../syntax-tree.ts';
import { applyEdit, type Diagnostic, type Finding, type TextEdit } from './diagnostic.ts';
import { keepsOpaque } from './masked-text.ts';

/** Finds the problems of a query, with fixes that have not been checked. */
export type Check = (query: string) => readonly Finding[];

/** Maximum number of fixes to try for a problem, and of further edits in one fix. */
const MAX_ATTEMPTS = 8;

/**
 * A problem as it is reported: with a fix only if the changed query can be parsed, has no new problem and changes no
 * other string, regular expression or comment. Every fix and every proposal in a message passes here.
 */
export function offer(
  query: string,
  finding: Finding,
  before: readonly Finding[],
  check: Check | undefined,
): Diagnostic {
  const { fix, alternatives, propose, words, ...problem } = finding;
  const edits = check === undefined ? [] : editsOf(finding);
  const isValid = edits.length > 0 && isQuery(query);
  for (const edit of edits) {
    const settled = settle({ query, edit, code: finding.code, before: isValid ? before : [], check: check! });
    if (settled === undefined) continue;
    const text = settled.text.trim();
    const isWhole = /^\w*$/.test(text) || isQuery(text.replace(/^\|/, ''));
    const message = completed(problem.message, isWhole ? propose?.(text) : words);
    return { ...problem, message, fix: settled, ...(isValid && { isSuggestion: true as const }) };
  }
  return { ...problem, message: completed(problem.message, words) };
}

function completed(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

function editsOf({ fix, alternatives = [] }: Finding): readonly TextEdit[] {
  return [...(fix === undefined ? [] : [fix]), ...alternatives].slice(0, MAX_ATTEMPTS);
}

interface Attempt {
  readonly query: string;
  readonly edit: TextEdit;
  readonly code: string;
  readonly before: readonly Finding[];
  readonly check: Check;
}

/** The edit, together with the fixes of what it leaves or causes; `undefined` if a problem remains. */
function settle({ query, edit, code, before, check }: Attempt): TextEdit | undefined {
  const known = new Set(before.map(keyOf));
  let current = edit;
  for (let round = 0; round <= MAX_ATTEMPTS; round += 1) {
    const text = applyEdit(query, current);
    const place = { start: current.span.start, end: current.span.start + current.text.length };
    const open = check(text).find((one) => {
      if (one.severity === 'info') return false;
      const isHere = one.span.start <= place.end && one.span.end >= place.start;
      return known.has(keyOf(one)) ? isHere && one.code === code : isHere || one.severity === 'error';
    });
    if (open === undefined) return text !== query && keepsOpaque(query, current) ? current : undefined;
    const edits = editsOf(open);
    const next = edits.find((one) => isQuery(applyEdit(text, one))) ?? edits[0];
    if (next === undefined) return undefined;
    current = joined(text, place, current.span, next);
  }
  return undefined;
}

function keyOf({ code, message }: Finding): string {
  return `${code} ${message}`;
}

/** An edit of the query that includes a further edit of the text after it. */
function joined(text: string, place: Span, original: Span, next: TextEdit): TextEdit {
  const start = Math.min(place.start, next.span.start);
  const end = Math.max(place.end, next.span.end);
  const inner = { start: next.span.start - start, end: next.span.end - start };
  return {
    span: { start, end: original.end + end - place.end },
    text: applyEdit(text.slice(start, end), { span: inner, text: next.text }),
  };
}
