import { signal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { set } from '../state/page-state.ts';

export const isHelpOpen = signal(false);

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/', 'Ctrl K'], 'Write a query'],
  [['Enter'], 'Run the query; open or close the selected record'],
  [['↑', '↓'], 'In the query: earlier and later queries'],
  [['j', 'k'], 'Next, previous record'],
  [['→', '←'], 'Open, close the selected record'],
  [['e', 'E'], 'Older, newer error'],
  [['Ctrl F'], 'Find text in all loaded records'],
  [['n', 'N'], 'Next, previous record with the text'],
  [['b'], 'Bookmark the selected record, or remove its bookmark'],
  [['t'], 'Pause the tail, or follow it'],
  [['c'], 'Clear: hide the records that are there now'],
  [['o'], 'Open files (or drop them on the page)'],
  [['f'], 'Show or hide the fields'],
  [['Esc'], 'Close the record, leave the query'],
  [['?'], 'This list'],
];

/** Keyboard shortcuts of the page. */
export function HelpDialog(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isHelpOpen.value]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => set(isHelpOpen, false)}>
      <h1 id="help-title">Keys</h1>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <Fragment key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </Fragment>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="primary">
          Close
        </button>
      </form>
    </dialog>
  );
}
