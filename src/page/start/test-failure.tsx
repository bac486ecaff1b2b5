import type { JSX } from 'preact';
import { blockText } from '../records/visible-text.ts';

const MAX_CHARACTERS = 20_000;

/** Shows why the test of a report failed. */
export function TestFailure({ message }: { readonly message: string }): JSX.Element {
  return (
    <details class="test-failure" open>
      <summary>Why the test failed</summary>
      <pre class="notice" data-tone="error" tabIndex={0} role="group" aria-label="Why the test failed">
        <bdi>{blockText(message, MAX_CHARACTERS)}</bdi>
      </pre>
    </details>
  );
}
