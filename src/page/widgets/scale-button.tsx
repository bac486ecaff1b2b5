import type { JSX } from 'preact';
import { search, update } from '../state/page-state.ts';
import { Button } from './button.tsx';

/** Switches between a linear and a logarithmic scale. */
export function ScaleButton(): JSX.Element {
  const isLog = search.value.scale === 'log';
  return (
    <Button
      class="scale-button"
      aria-pressed={isLog}
      title="Logarithmic scale"
      aria-label="log scale"
      onClick={() => update({ scale: isLog ? 'linear' : 'log' })}
    >
      log
    </Button>
  );
}
