import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletion,
} from '@codemirror/autocomplete';
import {
  copyLineDown,
  copyLineUp,
  deleteLine,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  moveLineDown,
  moveLineUp,
  selectLine,
  standardKeymap,
} from '@codemirror/commands';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ReportedProblem } from '../search/reported-problem.ts';
import { stopSearch } from '../search/run-search.ts';
import { history as queryHistory } from '../state/preferences.ts';
import { editorTheme } from './editor-theme.ts';
import { problems, reportProblem } from './problems.ts';
import { completeQuery, hoverHelp } from './query-help.ts';
import { tokenColors } from './token-colors.ts';

export interface QueryEditorProps {
  readonly value: string;
  readonly onRun: (query: string) => void;
  /** The problem that the service reported. */
  readonly problem: ReportedProblem | undefined;
}

/** Keys for whole lines. The other default keys of CodeMirror are for several cursors or a grammar, which this editor lacks. */
const LINE_KEYS = [
  { key: 'Alt-ArrowUp', run: moveLineUp, shift: copyLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown, shift: copyLineDown },
  { key: 'Alt-l', mac: 'Ctrl-l', run: selectLine },
  { key: 'Mod-[', run: indentLess },
  { key: 'Mod-]', run: indentMore },
  { key: 'Shift-Mod-k', run: deleteLine },
];

/** The only editor of the page. */
let editor: EditorView | undefined;

/** The query in the editor, which may not have run yet. */
export const draft = signal('');

/** Focuses the editor. */
export function focusEditor(): void {
  editor?.focus();
}

/** An editor for a query. Enter runs it, Shift+Enter starts a new line, ↑ brings back earlier queries. */
export function QueryEditor({ value, onRun, problem }: QueryEditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const run = useRef(onRun);
  run.current = onRun;
  useEffect(() => {
    editor = createView(host.current!, value, () => run.current(draft.value));
    return () => editor?.destroy();
  }, []);
  useEffect(() => {
    if (editor !== undefined && editor.state.doc.toString() !== value) replaceText(editor, value);
  }, [value]);
  useEffect(() => {
    if (editor !== undefined) reportProblem(editor, problem);
  }, [problem]);
  return <div class="editor" ref={host} />;
}

function createView(host: HTMLElement, doc: string, run: () => void): EditorView {
  // In a shadow tree, the editor adds its styles by script, which the content security policy allows.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parent = root.appendChild(document.createElement('div'));
  draft.value = doc;
  return new EditorView({ parent, root, state: EditorState.create({ doc, extensions: extensions(run) }) });
}

function extensions(run: () => void) {
  return [
    Prec.high(keymap.of(historyKeys())),
    keymap.of([
      { key: 'Enter', run: (view) => handled(() => closeCompletion(view), run) },
      { key: 'Tab', run: acceptFirst },
      { key: 'Mod-Enter', run: () => handled(run) },
      // Also stops a running search.
      { key: 'Escape', run: (view) => handled(() => view.contentDOM.blur(), stopSearch) },
    ]),
    // Enter runs the query unless a completion is selected.
    autocompletion({
      override: [completeQuery],
      icons: false,
      maxRenderedOptions: 40,
      selectOnOpen: false,
      // Nothing is selected at first, so pressing a key early accepts nothing by mistake.
      interactionDelay: 0,
    }),
    closeBrackets(),
    history(),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) draft.value = state.doc.toString();
    }),
    keymap.of([...closeBracketsKeymap, ...historyKeymap, ...LINE_KEYS, ...standardKeymap]),
    typing,
    problems,
    hoverHelp,
    tokenColors,
    editorTheme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': 'Query',
      'aria-multiline': 'true',
      spellcheck: 'false',
      tabindex: '0',
    }),
    placeholder('Search: level=error, a word, or groupBy(level)'),
  ];
}

/** Typing over a selection. Chromium would keep its color as an inline style, which the content security policy blocks. */
const typing = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { from, to, empty } = view.state.selection.main;
    if (empty || inputType !== 'insertText' || data === null) return false;
    const how = { userEvent: 'input.type', scrollIntoView: true };
    const insert = view.state.update(view.state.replaceSelection(data), how);
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, () => insert))) view.dispatch(insert);
    return true;
  },
  compositionstart(_, view) {
    if (!view.state.selection.main.empty) view.dispatch(view.state.replaceSelection(''));
  },
});

function replaceText(view: EditorView, insert: string): void {
  const changes = { from: 0, to: view.state.doc.length, insert };
  view.dispatch({ changes, selection: { anchor: insert.length } });
}

/** Tab accepts the selected completion, or the first one. */
function acceptFirst(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false;
  if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

function handled(...actions: readonly (() => unknown)[]): true {
  for (const action of actions) action();
  return true;
}

/** ↑ on the first line shows an earlier query, ↓ on the last line a later one. */
function historyKeys() {
  let place = -1;
  let draft = '';
  const queryAt = (index: number): string | undefined => (index === -1 ? draft : queryHistory.value[index]);
  const show = (view: EditorView, step: number): boolean => {
    const { doc, selection } = view.state;
    const text = doc.toString();
    // The text was edited or run since then: the history starts at it.
    if (text !== queryAt(place)) [place, draft] = [-1, text];
    let next = place + step;
    if (next >= 0 && queryAt(next) === text) next += step;
    const query = queryAt(next);
    const line = doc.lineAt(selection.main.head).number;
    if (
      query === undefined ||
      line !== (step > 0 ? 1 : doc.lines) ||
      completionStatus(view.state) === 'active'
    )
      return false;
    place = next;
    replaceText(view, query);
    return true;
  };
  return [
    { key: 'ArrowUp', run: (view: EditorView) => show(view, 1) },
    { key: 'ArrowDown', run: (view: EditorView) => show(view, -1) },
  ];
}
