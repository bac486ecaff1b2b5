import type { JSX } from 'preact';

export interface TabsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  readonly label: string;
}

/** Tabs, which the arrow keys switch. */
export function Tabs<Name extends string>({
  names,
  selected,
  onSelect,
  label,
}: TabsProps<Name>): JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (names.indexOf(selected) + step + names.length) % names.length;
    onSelect(names[next]!);
    const list = event.currentTarget as HTMLElement;
    (list.children[next] as HTMLElement).focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <button
          type="button"
          key={name}
          role="tab"
          aria-selected={name === selected}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
