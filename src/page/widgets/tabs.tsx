import type { JSX, TargetedKeyboardEvent } from 'preact';
import { arrowStep } from './arrow-step.ts';
import { Button } from './button.tsx';

export interface TabsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  readonly label: string;
}

/** Tabs, which the arrow keys switch. */
export function Tabs<Name extends string>(props: TabsProps<Name>): JSX.Element {
  const { names, selected, onSelect, label } = props;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const step = arrowStep(event);
    if (step === 0) return;
    const next = (names.indexOf(selected) + step + names.length) % names.length;
    onSelect(names[next]!);
    (event.currentTarget.children[next] as HTMLElement).focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {names.map((name) => (
        <Button
          key={name}
          role="tab"
          aria-selected={name === selected}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
