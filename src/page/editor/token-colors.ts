import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { styledTokens } from './language.ts';

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { start, end, style } of styledTokens(view.state.doc.toString())) {
    builder.add(start, end, Decoration.mark({ class: `token-${style}` }));
  }
  return builder.finish();
}

/** Colors the tokens of the query. */
export const tokenColors = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged) this.decorations = decorate(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
