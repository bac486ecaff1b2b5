import stringWidth from 'string-width';

/** Printable ASCII, which has the width 1. */
const ASCII = /^[\x20-\x7e]*$/;

/** The width of a string in terminal columns. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** Cuts a string to a number of columns; a cut string ends in `…`. */
export function cutTo(text: string, width: number): string {
  if (text.length <= width && ASCII.test(text)) return text;
  if (widthOf(text) <= width) return text;
  let kept = '';
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, width * 8))) {
    columns += widthOf(segment);
    if (columns > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Pads a string to a number of columns. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + gap : gap + text;
}
