/** Controls, fillers, and what changes the direction or joins characters without being seen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
const INVISIBLE_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** Text of a record for one line: characters that can't be seen have a visible form, and long text is cut. */
export function lineText(text: string, maxLength = 400): string {
  return cut(text, maxLength).replace(INVISIBLE, visible);
}

/** As {@link lineText}, but newlines and tabs stay. */
export function blockText(text: string, maxLength = 4000): string {
  return cut(text, maxLength).replace(INVISIBLE_BUT_LINES, visible);
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === '\n') return '↵';
  if (character === '\t') return '⇥';
  // The block "Control Pictures" has the controls in the order of ASCII.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
