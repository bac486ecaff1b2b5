/**
 * What could drive a terminal: control characters, those of the upper half too, and what turns the direction of text
 * around. A tab is harmless, and so is a newline in text of several lines.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Characters that are not seen but read by a language model, such as joiners, tags and variation selectors. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Text on one line, with control characters made visible. */
export function visibleLine(text: string): string {
  return text.replace(CONTROL, escapeOf).replaceAll('\n', '\\n').replaceAll('\t', ' ');
}

/** {@link visibleLine} for a language model, which reads hidden characters: they are escaped, too. */
export function modelLine(text: string): string {
  return visibleLine(text).replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** {@link visibleLine} for text that may have several lines. */
export function visibleLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL, escapeOf);
}

/** The lines of a string, with control characters made visible. */
export function indented(text: string, indent: string): string[] {
  return visibleLines(text)
    .split('\n')
    .map((line) => indent + line);
}

/** JSON text that is safe to print: `JSON.stringify` escapes only some control characters. */
export function visibleJson(json: string): string {
  return json.replace(CONTROL, (character) => `\\u${hexOf(character).padStart(4, '0')}`);
}

function escapeOf(character: string): string {
  if (character === '\r') return '\\r';
  const hex = hexOf(character);
  return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16);
}
