import type { Place } from '../../core/records/stack.ts';

/** Editors that open files by a URL. */
export const EDITORS = ['VS Code', 'Cursor', 'JetBrains', 'Zed'] as const;
export type Editor = (typeof EDITORS)[number];

/** Maps paths in records to paths on this machine: the prefix to replace, and its replacement. */
export interface PathMapping {
  readonly from: string;
  readonly to: string;
}

/** The URL that opens a place in an editor. */
export function editorLink({ path, line, column }: Place, editor: Editor, mapping: PathMapping): string {
  const file = mapped(path.replaceAll('\\', '/'), mapping).replace(/^(?!\/)/, '/');
  const encoded = file
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/^\/([A-Za-z])%3A/, '/$1:');
  if (editor === 'JetBrains')
    return `idea://open?file=${encodeURIComponent(file)}&line=${line}&column=${column}`;
  // The scheme is the name: `vscode`, `cursor`, `zed`.
  return `${editor.replace(' ', '').toLowerCase()}://file${encoded}:${line}:${column}`;
}

function mapped(path: string, { from, to }: PathMapping): string {
  const start = from.replace(/\/+$/, '');
  const isBelow = start !== '' && (path === start || path.startsWith(`${start}/`));
  return isBelow ? to.replaceAll('\\', '/').replace(/\/+$/, '') + path.slice(start.length) : path;
}
