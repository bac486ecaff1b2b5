import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { highlight } from '../../language/index.ts';

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { span, kind } of highlight(view.state.doc.toString())) {
    builder.add(span.start, span.end, Decoration.mark({ class: `token-${kind}` }));
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
