import type { JSX } from 'preact';
import { lineText } from '../records/visible-text.ts';
import { dismissFile, fileNotice } from './open-files.ts';

/** Progress and outcome of reading a file. */
export function FileStrip(): JSX.Element | null {
  const notice = fileNotice.value;
  if (notice === undefined) return null;
  const { text, share, isFailure = false } = notice;
  return (
    <section class="notice file-strip" data-tone={isFailure ? 'error' : undefined} aria-label="Opened file">
      <p role={isFailure ? 'alert' : 'status'}>
        <bdi>{lineText(text, 500)}</bdi>
      </p>
      {share !== undefined && <progress value={share} aria-label="Read so far" />}
      <button type="button" onClick={dismissFile}>
        {share === undefined ? 'Dismiss' : 'Cancel'}
      </button>
    </section>
  );
}
