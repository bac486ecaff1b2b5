import type { JSX } from 'preact';
import { Button } from './button.tsx';

/** Closes or removes something. */
export function CloseButton({ label, onClick }: { label: string; onClick: () => void }): JSX.Element {
  return (
    <Button class="icon dim" aria-label={label} onClick={onClick}>
      ✕
    </Button>
  );
}
