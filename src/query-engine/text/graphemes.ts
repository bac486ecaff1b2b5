/** Text in which every UTF-16 unit is a character of its own. A carriage return and a line feed would be one. */
const PLAIN = /^[ -~]*$/;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Whether each UTF-16 unit of a text is a character. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** The characters of a text as a reader counts them: an emoji or a letter with its accents is one. */
export function splitGraphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function countGraphemes(text: string): number {
  return PLAIN.test(text) ? text.length : splitGraphemes(text).length;
}
