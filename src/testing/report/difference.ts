import { shortenText } from '../../core/shorten-text.ts';
import { quoted } from './log-line.ts';

/** Longer strings are shown from shortly before the first difference. */
const MAX_WHOLE_CHARACTERS = 80;
const CHARACTERS_BEFORE = 24;
const SHOWN_CHARACTERS = 60;

/** Describes a value that differs from the expected text, to follow its name: `is "slow"`. */
export function differenceText(value: string, expected: unknown, wrong: (text: string) => string): string {
  if (value === expected) return wrong('differs (hidden)');
  const hint = value.includes('\u001b[') ? '; the format of the logger adds colors' : '';
  if (typeof expected !== 'string' || Math.max(value.length, expected.length) <= MAX_WHOLE_CHARACTERS)
    return `is ${wrong(quoted(shortenText(value, MAX_WHOLE_CHARACTERS)))}${hint}`;
  let at = 0;
  while (at < value.length && value[at] === expected[at]) at++;
  const part = (text: string): string => {
    const start = Math.max(0, at - CHARACTERS_BEFORE);
    return quoted((start > 0 ? '…' : '') + shortenText(text.slice(start), SHOWN_CHARACTERS));
  };
  return `is ${wrong(part(value))}, not ${part(expected)} (first difference at character ${at + 1})${hint}`;
}
