import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import { highlight } from '../../language/index.ts';

/** Colors the tokens of the query. */
export const tokenColors = EditorView.decorations.compute(['doc'], ({ doc }) => {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { span, kind } of highlight(doc.toString())) {
    builder.add(span.start, span.end, Decoration.mark({ class: `token-${kind}` }));
  }
  return builder.finish();
});
