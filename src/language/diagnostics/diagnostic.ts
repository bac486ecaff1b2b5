import type { QueryNode, Span } from '../ast.ts';
import { type NodeOf, type QueryVisitor, walk } from '../walk.ts';

/** A change to the text of a query. */
export interface TextEdit {
  /** The part to replace. Empty to insert. */
  readonly span: Span;
  readonly text: string;
}

/** An edit after which no word may be left in its steps, or no step of words beside them, that would be searched for. */
export interface RepairEdit extends TextEdit {
  readonly leavesNoWords?: 'inside' | 'beside' | undefined;
}

/** The text after an edit. */
export function applyEdit(source: string, { span, text }: TextEdit): string {
  return source.slice(0, span.start) + text + source.slice(span.end);
}

/**
 * - `error`: the query fails.
 * - `warning`: the query runs, but probably does not do what was meant, or the service rejects it.
 * - `info`: the query can be faster or clearer.
 */
export type Severity = 'error' | 'warning' | 'info';

/** The text after several edits; those that overlap an earlier one are left out. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  return applyEdit(source, joinEdits(source, edits));
}

/** A problem in a query. */
export interface Diagnostic {
  /** Stable, such as `unknown-function` or `spl-dedup`. */
  readonly code: string;
  readonly severity: Severity;
  /** Sentences: what is wrong, and what to write. */
  readonly message: string;
  /** Where, in UTF-16 code units. */
  readonly span: Span;
  /**
   * What to write instead. The changed query can be parsed, and no check finds a new problem in it. Absent if there is
   * no single right answer.
   */
  readonly fix?: TextEdit;
  /** True if the fix changes the meaning of a query that runs, or is a guess. Tools apply it on request only. */
  readonly isSuggestion?: true;
}

/** A problem whose fix has not been checked. */
export interface Finding extends Omit<Diagnostic, 'fix'> {
  readonly fix?: RepairEdit | undefined;
  /** Other fixes to try, most likely first. */
  readonly alternatives?: readonly RepairEdit[];
  /** Completes the message with the text of the fix that is offered. */
  readonly propose?: ((text: string) => string) | undefined;
  /** Completes the message if no fix is offered. */
  readonly words?: string;
  /** Whether the span is a phrase of another language, whatever its values are. */
  readonly isPhrase?: true;
}

/** Edits of different places as one; those that overlap an earlier one are left out. */
export function joinEdits(source: string, edits: readonly TextEdit[]): TextEdit {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const start = sorted[0]?.span.start ?? 0;
  let end = start;
  let text = '';
  for (const edit of sorted) {
    if (edit.span.start < end) continue;
    text += source.slice(end, edit.span.start) + edit.text;
    end = edit.span.end;
  }
  return { span: { start, end }, text };
}

/** A warning, and what to write in place of its span. */
export function warning(code: string, span: Span, message: string, text?: string): Finding {
  const propose = (written: string) => `Write ${written}.`;
  return {
    code,
    severity: 'warning',
    message,
    span,
    ...(text !== undefined && { propose, fix: { span, text } }),
  };
}

export function error(code: string, span: Span, message: string): Finding {
  return { code, severity: 'error', message, span };
}

type Found = Finding | undefined | readonly (Finding | undefined)[] | false;

/** All that functions by node kind find in a tree, in source order. `false` skips the children of a node. */
export function findIn(
  tree: QueryNode,
  finders: { readonly [K in QueryNode['kind']]?: (node: NodeOf<K>, parent?: QueryNode) => Found },
): readonly Finding[] {
  const all: (Finding | undefined)[] = [];
  const visit = (node: QueryNode, parent?: QueryNode): boolean => {
    const found = finders[node.kind]?.(node as never, parent);
    if (found !== false) all.push(...[found].flat());
    return found !== false;
  };
  walk(tree, Object.fromEntries(Object.keys(finders).map((kind) => [kind, visit])) as QueryVisitor);
  return all.filter((one) => one !== undefined);
}
