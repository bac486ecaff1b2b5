import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { hoverTooltip } from '@codemirror/view';
import { summarizeFields } from '../../core/records/field-summary.ts';
import { complete, hover, type KnownSource, type Completion as Suggestion } from '../../language/index.ts';
import { fieldSample } from '../search/field-sample.ts';

const MAX_VALUE_LENGTH = 80;

/** The fields and values that the editor suggests: those of the newest records. */
function knownSource(): KnownSource {
  const rows = fieldSample.value.map(({ row }) => row);
  const fields = summarizeFields(rows).map(({ name, top }) => {
    const values = top.map(([value]) => value).filter(({ length }) => length <= MAX_VALUE_LENGTH);
    return { name, values };
  });
  return { fields };
}

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

/** Explains the function, parameter or field under the pointer. */
export const hoverHelp = hoverTooltip(({ state }, position) => {
  const help = hover(state.doc.toString(), position, knownSource());
  if (help === undefined) return null;
  const { span, title, description } = help;
  return { pos: span.start, end: span.end, create: () => ({ dom: explanation(title, description) }) };
});

function explanation(title: string, description: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'hover-help';
  box.append(document.createElement('code'), document.createElement('p'));
  box.firstElementChild!.textContent = title;
  box.lastElementChild!.textContent = description;
  return box;
}
