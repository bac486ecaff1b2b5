import type { JSX } from 'preact';

/** Closes or removes something. */
export function CloseButton({ label, onClick }: { label: string; onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="icon" aria-label={label} onClick={onClick}>
      ✕
    </button>
  );
}
