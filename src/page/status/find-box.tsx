import type { JSX } from 'preact';
import { findText, foundPlaces, moveToFound } from '../search/find.ts';
import { placeOf, selectedRecord } from '../search/selection.ts';

/** Finds text in all loaded records, also those that are not rendered. Enter selects the next one, Shift+Enter the one before. */
export function FindBox(): JSX.Element {
  const found = foundPlaces.value;
  const place = found.indexOf(placeOf(selectedRecord.value)) + 1;
  return (
    <>
      <input
        type="search"
        class="find-box"
        aria-label="Find in the loaded records"
        placeholder="Find in these records"
        value={findText.value}
        onInput={({ currentTarget }) => {
          findText.value = currentTarget.value;
        }}
        onKeyDown={({ key, shiftKey, currentTarget }) => {
          if (key === 'Enter') moveToFound(shiftKey ? -1 : 1);
          if (key === 'Escape') currentTarget.blur();
        }}
      />
      {findText.value !== '' && <span role="status">{`${place || '–'} of ${found.length}`}</span>}
    </>
  );
}
