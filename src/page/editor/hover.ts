import { hoverTooltip } from '@codemirror/view';
import { hover } from '../../language/index.ts';
import { knownSource } from './known-source.ts';

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
