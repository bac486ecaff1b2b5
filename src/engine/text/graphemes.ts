/** Text in which every UTF-16 code unit is a grapheme cluster. Excludes CR and LF, which together are one. */
const PLAIN = /^[ -~]*$/;

/** Created when needed: the first use of `Intl` takes 20 ms. */
let segmenter: Intl.Segmenter | undefined;

/** The grapheme clusters of a string, which is a sequence of them itself if it is plain: an emoji or an accented letter is one. */
export function graphemesOf(text: string): string | readonly string[] {
  if (PLAIN.test(text)) return text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
