import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { complete, type Completion as Suggestion } from '../../language/index.ts';
import { knownSource } from './known-source.ts';

/** Suggests functions, parameters, keywords, and the fields and values of the visible records. */
export function completeQuery({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const query = state.doc.toString();
  const suggestions = complete(query, pos, knownSource());
  const [first] = suggestions;
  if (first === undefined) return null;
  // Without a word, the list would open after each space.
  const isAsked = explicit || first.span.start < pos || /[=(,$]\s?$/.test(query.slice(0, pos));
  return isAsked ? { from: first.span.start, options: suggestions.map(optionOf), filter: false } : null;
}

function optionOf({ kind, label, insert, detail, description }: Suggestion): Completion {
  return {
    label,
    apply: insert,
    type: kind,
    ...(detail === undefined ? {} : { detail }),
    ...(description === undefined ? {} : { info: description }),
  };
}
