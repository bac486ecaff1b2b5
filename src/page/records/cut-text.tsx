import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface CutTextProps {
  readonly text: string;
  readonly length: number;
  /** Shows the text up to a length. */
  readonly children: (length: number) => JSX.Element;
}

/** A text that is cut until the user wants to see all of it. */
export function CutText({ text, length, children }: CutTextProps): JSX.Element {
  const [isWhole, showWhole] = useState(false);
  const isCut = text.length > length && !isWhole;
  return (
    <>
      {children(isCut ? length : text.length)}
      {isCut && (
        <button type="button" class="link" onClick={() => showWhole(true)}>
          show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  );
}
