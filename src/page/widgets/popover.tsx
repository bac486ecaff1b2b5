import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

export interface PopoverProps {
  readonly label: ComponentChildren;
  readonly title: string;
  /** Name of the button for screen readers, if it is not the title. */
  readonly name?: string;
  readonly class: string;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with a panel, which closes on Escape and when the user clicks or focuses something else. */
export function Popover(props: PopoverProps): JSX.Element {
  const { label, title, name = title, children } = props;
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  // Before the next key, which would be a shortcut.
  useLayoutEffect(() => {
    if (isOpen)
      root.current?.querySelector<HTMLElement>('.popover-panel :is(input, select, button)')?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const onOutside = ({ target }: Event): void => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    const stop = new AbortController();
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, onOutside, stop);
    return () => stop.abort();
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return (
    <div class={`popover ${props.class}`} ref={root} onKeyDown={onKeyDown}>
      <Button
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        title={title}
        aria-label={name}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      {isOpen && (
        <div class="popover-panel" role="dialog" aria-label={title}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
