import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Diagnostic, linter, setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { history as queryHistory } from '../state/preferences.ts';
import { complete } from './completion.ts';
import { editorTheme } from './editor-theme.ts';
import { type EditorProblem, findProblem } from './language.ts';
import { tokenColors } from './token-colors.ts';

export interface QueryEditorProps {
  readonly value: string;
  readonly onRun: (query: string) => void;
  /** What the service says is wrong. */
  readonly problem: EditorProblem | undefined;
}

let focused: EditorView | undefined;

/** Moves the keyboard to the editor. */
export function focusEditor(): void {
  focused?.focus();
}

/** The query that is in the editor, run or not. */
export function editorText(): string {
  return focused?.state.doc.toString() ?? '';
}

/** An editor for a query. Enter runs it, Shift+Enter starts a new line, ↑ brings back earlier queries. */
export function QueryEditor({ value, onRun, problem }: QueryEditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const run = useRef(onRun);
  run.current = onRun;
  useEffect(() => {
    view.current = createView(host.current!, value, () => run.current(editorText()));
    focused = view.current;
    return () => view.current?.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      selection: { anchor: value.length },
    });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || problem === undefined) return;
    editor.dispatch(setDiagnostics(editor.state, [toDiagnostic(problem, editor.state.doc.length)]));
  }, [problem]);
  return <div class="editor" ref={host} />;
}

function toDiagnostic({ start, end, message }: EditorProblem, length: number): Diagnostic {
  const from = Math.min(start, length);
  return { from, to: Math.max(from, Math.min(end, length)), severity: 'error', message };
}

function createView(host: HTMLElement, doc: string, run: () => void): EditorView {
  // In a shadow tree the editor adds its styles by script, which the content security policy permits.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parent = root.appendChild(document.createElement('div'));
  return new EditorView({ parent, root, state: EditorState.create({ doc, extensions: extensions(run) }) });
}

function extensions(run: () => void) {
  return [
    Prec.high(keymap.of(historyKeys())),
    keymap.of([
      // With a list of completions, Enter accepts one.
      { key: 'Enter', run: (view) => completionStatus(view.state) !== 'active' && handled(run) },
      { key: 'Mod-Enter', run: () => handled(run) },
      { key: 'Escape', run: (view) => handled(() => view.contentDOM.blur()) },
    ]),
    autocompletion({ override: [complete], icons: false, maxRenderedOptions: 40 }),
    closeBrackets(),
    history(),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    linter(
      ({ state }) => {
        const found = findProblem(state.doc.toString());
        return found === undefined ? [] : [toDiagnostic(found, state.doc.length)];
      },
      { delay: 400 },
    ),
    tokenColors,
    editorTheme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Query', 'aria-multiline': 'true', spellcheck: 'false' }),
    placeholder('Search: level=error, a word, or groupBy(service)'),
  ];
}

function handled(action: () => void): true {
  action();
  return true;
}

/** ↑ on the first line goes back in the history of queries, ↓ on the last line forward. */
function historyKeys() {
  let place = -1;
  const show = (view: EditorView, step: number): boolean => {
    const next = place + step;
    const query = next === -1 ? '' : queryHistory.value[next];
    const { doc, selection } = view.state;
    const line = doc.lineAt(selection.main.head).number;
    if (query === undefined || line !== (step > 0 ? 1 : doc.lines) || completionStatus(view.state) !== null)
      return false;
    place = next;
    view.dispatch({
      changes: { from: 0, to: doc.length, insert: query },
      selection: { anchor: query.length },
    });
    return true;
  };
  return [
    { key: 'ArrowUp', run: (view: EditorView) => show(view, 1) },
    { key: 'ArrowDown', run: (view: EditorView) => place >= 0 && show(view, -1) },
  ];
}
