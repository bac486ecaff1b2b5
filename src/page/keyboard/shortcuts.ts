import { isHelpOpen } from '../dialogs/help-dialog.tsx';
import { focusEditor } from '../editor/query-editor.tsx';
import { chooseFiles } from '../files/open-files.ts';
import { isError, type LogRecord } from '../records/log-record.ts';
import { toggleBookmark } from '../search/bookmarks.ts';
import { clearRecords } from '../search/change-search.ts';
import { moveToFound } from '../search/find.ts';
import { follow, stopSearch } from '../search/run-search.ts';
import { moveSelection, openRecord, selectedRecord, toggleRecord } from '../search/selection.ts';
import { search, set } from '../state/page-state.ts';
import { showsFields } from '../state/preferences.ts';
import { isFollowing, records } from '../state/results.ts';

/** Actions of keys outside of input fields. */
const ACTIONS: Readonly<Record<string, () => void>> = {
  '/': focusEditor,
  j: () => moveSelection(1),
  k: () => moveSelection(-1),
  e: () => moveSelection(toOlder(), isError),
  E: () => moveSelection(-toOlder(), isError),
  n: () => moveToFound(1),
  N: () => moveToFound(-1),
  t: () => follow(!isFollowing.value),
  b: () => toggleBookmark(selected()),
  c: clearRecords,
  o: chooseFiles,
  f: () => set(showsFields, !showsFields.value),
  '?': () => set(isHelpOpen, true),
  Enter: () => toggleSelected(),
  ArrowRight: () => toggleSelected(false),
  ArrowLeft: () => toggleSelected(true),
  Escape: () => {
    if (openRecord.value === undefined) stopSearch();
    if (openRecord.value === undefined) selectedRecord.value = undefined;
    openRecord.value = undefined;
  },
};

/** The direction of older records. */
function toOlder(): 1 | -1 {
  return search.value.order === 'newest-last' ? -1 : 1;
}

export function listenForShortcuts(): void {
  addEventListener('keydown', (event) => {
    const isCommand = event.metaKey || event.ctrlKey;
    const findBox = document.querySelector<HTMLInputElement>('.find-box');
    if (isCommand && (event.key === 'k' || (event.key === 'f' && findBox !== null))) {
      event.preventDefault();
      if (event.key === 'k') focusEditor();
      else findBox?.select();
    }
    // Read from the elements, because the `close` event is fired after a dialog has disappeared.
    const isDialogOpen = document.querySelector('dialog[open]') !== null;
    if (event.defaultPrevented || isCommand || event.altKey || isDialogOpen) return;
    const target = event.composedPath()[0] as Element;
    if (target.closest('input, select, textarea, [contenteditable="true"], [role="dialog"]') !== null) return;
    // A focused button handles the key itself.
    if (event.key === 'Enter' && target.closest('button, a') !== null) return;
    const action = ACTIONS[event.key];
    // Without a selected record, arrows scroll.
    if (action === undefined || (event.key.startsWith('Arrow') && selectedRecord.value === undefined)) return;
    event.preventDefault();
    action();
  });
}

function selected(): LogRecord | undefined {
  return records.value.find(({ id }) => id === selectedRecord.value);
}

/** Opens or closes the selected record. @param ifOpen whether it must be open, to limit it to one direction. */
function toggleSelected(ifOpen?: boolean): void {
  const record = selected();
  if (record === undefined) return;
  if (ifOpen === undefined || ifOpen === (openRecord.value === record.id)) toggleRecord(record);
}
