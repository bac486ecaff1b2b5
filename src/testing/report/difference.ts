import { shortenText } from '../../core/shorten-text.ts';
import { quoted } from './log-line.ts';

/** Longer strings are shown from shortly before the first difference. */
const MAX_WHOLE_CHARACTERS = 80;
const CHARACTERS_BEFORE = 24;
const SHOWN_CHARACTERS = 60;

/** Describes a value that differs from the expected text, to follow its name: `is "slow"`. */
export function differenceText(
  value: string,
  expected: unknown,
  wrong: (text: string) => string = String,
): string {
  if (value === expected) return wrong('differs (hidden)');
  const hint = value.includes('\u001b[') ? '; the format of the logger adds colors' : '';
  const isAlike = typeof expected === 'string' && plain(value) === plain(expected);
  const isShort = Math.max(value.length, String(expected).length) <= MAX_WHOLE_CHARACTERS;
  if (typeof expected !== 'string' || (isShort && !isAlike)) {
    return `is ${wrong(quoted(shortenText(value, MAX_WHOLE_CHARACTERS)))}${hint}`;
  }
  let at = 0;
  while (at < value.length && value[at] === expected[at]) at++;
  const part = (text: string): string => {
    const start = Math.max(0, at - CHARACTERS_BEFORE);
    const shown = (start > 0 ? '…' : '') + shortenText(text.slice(start), SHOWN_CHARACTERS);
    return isAlike ? escaped(shown) : quoted(shown);
  };
  return `is ${wrong(part(value))}, not ${part(expected)} (first difference at character ${at + 1})${hint}`;
}

/** What looks the same is equal: `é` in one character or two, all kinds of spaces. */
function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
}

function escaped(text: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replaceAll(/[^ -~…]/g, escape);
}
