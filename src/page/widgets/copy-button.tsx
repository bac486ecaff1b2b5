import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

const CONFIRMED_MS = 1500;

/** Copies a string and confirms it, or says that the browser refused. */
export function CopyButton({ label, text }: { label: string; text: () => string }): JSX.Element {
  const [outcome, setOutcome] = useState('');
  const copy = async (): Promise<void> => {
    const result = copyText(text()).then(() => 'Copied');
    setOutcome(await result.catch(() => 'The browser refused'));
    setTimeout(() => setOutcome(''), CONFIRMED_MS);
  };
  return <Button onClick={() => void copy()}>{outcome || label}</Button>;
}

/** Browsers provide no clipboard to pages of another computer without TLS. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.body.appendChild(document.createElement('textarea'));
  area.value = text;
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error();
}
