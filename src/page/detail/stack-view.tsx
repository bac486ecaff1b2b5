import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../../core/count-text.ts';
import { canFold } from '../../core/records/record-error.ts';
import type { Frame, StackSection } from '../../core/records/stack.ts';
import { blockText, lineText } from '../records/visible-text.ts';
import { set } from '../state/page-state.ts';
import { remembered } from '../state/preferences.ts';
import { Button } from '../widgets/button.tsx';
import { EDITORS, type Editor, editorLink } from './editor-link.ts';

const editor = remembered<string>('editor', EDITORS[0]);
const mappedFrom = remembered('editorPathFrom', '');
const mappedTo = remembered('editorPathTo', '');

/** An error with its causes. Frames of libraries are folded below the titles. Files of the program open in an editor. */
export function StackView({ sections }: { sections: readonly StackSection[] }): JSX.Element {
  const [showsAll, setShowsAll] = useState(false);
  const frames = sections.flatMap((section) => section.frames);
  const foreign = frames.filter(({ isForeign }) => isForeign).length;
  const folds = canFold(sections);
  return (
    <div class="stack">
      {sections.map((section, index) => (
        <Section key={index} section={section} showsForeign={showsAll || !folds} />
      ))}
      {folds && (
        <Button class="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide frames of libraries' : `Show ${countText(foreign, 'frame')} of libraries`}
        </Button>
      )}
      {frames.some(({ place }) => place !== undefined) && <EditorSettings />}
    </div>
  );
}

function Section({ section, showsForeign }: { section: StackSection; showsForeign: boolean }): JSX.Element {
  const { title, frames } = section;
  const shown = frames.filter(({ isForeign }) => showsForeign || !isForeign);
  return (
    <>
      {title !== '' && (
        <p class="stack-title">
          <bdi>{blockText(title)}</bdi>
        </p>
      )}
      {shown.length > 0 && (
        <ol>
          {shown.map((frame, index) => (
            <li key={index} data-foreign={frame.isForeign || undefined}>
              <FrameText frame={frame} />
              {frame.source !== '' && <pre class="stack-source dim">{blockText(frame.source.trimEnd())}</pre>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const chosenEditor = (): Editor => EDITORS.find((known) => known === editor.value) ?? EDITORS[0];

function FrameText({ frame: { text, place } }: { frame: Frame }): JSX.Element {
  if (place === undefined) return <bdi>{lineText(text)}</bdi>;
  const start = text.lastIndexOf(place.text);
  const link = editorLink(place, chosenEditor(), { from: mappedFrom.value, to: mappedTo.value });
  return (
    <bdi>
      {lineText(text.slice(0, start))}
      <a href={link}>{lineText(place.text)}</a>
      {lineText(text.slice(start + place.text.length))}
    </bdi>
  );
}

/** Settings: which editor opens the files, and their folder on this machine. */
function EditorSettings(): JSX.Element {
  const field = (label: string, kept: { value: string }, placeholder: string): JSX.Element => (
    <label>
      {label}
      <input
        value={kept.value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => set(kept, currentTarget.value.trim())}
      />
    </label>
  );
  return (
    <details class="editor-settings dim">
      <summary>Opens in {chosenEditor()}</summary>
      <label>
        Editor
        <select value={chosenEditor()} onChange={({ currentTarget }) => set(editor, currentTarget.value)}>
          {EDITORS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {field('Path in the records', mappedFrom, '/app')}
      {field('Path on this machine', mappedTo, '/home/me/shop')}
    </details>
  );
}
