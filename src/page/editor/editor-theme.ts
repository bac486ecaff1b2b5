import { EditorView } from '@codemirror/view';

/** The editor lives in a shadow tree, which the style sheet of the page doesn't reach; its variables do. */
export const editorTheme = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', maxHeight: '140px', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '.cm-placeholder': { color: 'var(--dim)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'var(--selection)' },
  '.token-comment': { color: 'var(--dim)', fontStyle: 'italic' },
  '.token-string, .token-regex': { color: 'var(--syntax-string)' },
  '.token-number': { color: 'var(--syntax-number)' },
  '.token-function': { color: 'var(--syntax-function)', fontWeight: '600' },
  '.token-field': { color: 'var(--syntax-field)' },
  '.token-operator': { color: 'var(--dim)' },
  '.token-keyword': { color: 'var(--syntax-function)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    background: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
    maxHeight: '260px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '20px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.7', fontStyle: 'normal' },
  '.cm-diagnostic-error': {
    borderLeft: '3px solid var(--error)',
    padding: '6px 10px',
    fontFamily: 'var(--sans)',
  },
});
