import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { amount } from '../records/amount.ts';
import { type Frame, readStack } from '../records/stack.ts';
import { blockText, lineText } from '../records/visible-text.ts';

/** A stack whose frames in libraries are folded. Files of the program open in the editor. */
export function StackView({ text }: { text: string }): JSX.Element {
  const [showsAll, setShowsAll] = useState(false);
  const { title, frames } = readStack(text);
  const own = frames.filter(({ isForeign }) => !isForeign);
  const shown = showsAll || own.length === 0 ? frames : own;
  return (
    <div class="stack">
      <p class="stack-title">
        <bdi>{blockText(title)}</bdi>
      </p>
      <ol>
        {shown.map((frame, index) => (
          <li key={index} data-foreign={frame.isForeign || undefined}>
            <FrameText frame={frame} />
          </li>
        ))}
      </ol>
      {own.length > 0 && own.length < frames.length && (
        <button type="button" class="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll
            ? 'Hide frames of libraries'
            : `Show ${amount(frames.length - own.length, 'frame')} of libraries`}
        </button>
      )}
    </div>
  );
}

function FrameText({ frame: { text, link, place } }: { frame: Frame }): JSX.Element {
  if (link === undefined || place === undefined) return <bdi>{lineText(text)}</bdi>;
  const start = text.lastIndexOf(place);
  return (
    <bdi>
      {lineText(text.slice(0, start))}
      <a href={link}>{lineText(place)}</a>
      {lineText(text.slice(start + place.length))}
    </bdi>
  );
}
