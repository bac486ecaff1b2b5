import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const CONFIRMED_MS = 1500;

export interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  readonly class?: string;
}

/** Copies a string and confirms it. */
export function CopyButton({ label, text, class: className }: CopyButtonProps): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
  };
  return (
    <button type="button" class={className} onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </button>
  );
}

/** Browsers provide no clipboard to pages of another computer without TLS. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.body.appendChild(document.createElement('textarea'));
  area.value = text;
  area.select();
  document.execCommand('copy');
  area.remove();
}
