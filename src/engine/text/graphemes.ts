/** Text in which every UTF-16 code unit is a grapheme cluster. Excludes CR and LF, which together are one. */
const PLAIN = /^[ -~]*$/;

/** Created when needed: the first use of `Intl` takes 20 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Whether every UTF-16 code unit is a grapheme cluster. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** Splits text into grapheme clusters: an emoji or an accented letter is one. */
export function splitGraphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function countGraphemes(text: string): number {
  return PLAIN.test(text) ? text.length : splitGraphemes(text).length;
}
