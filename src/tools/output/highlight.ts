/** Reverse video: visible on any background and in any color, and used for nothing else. */
const ON = '\u001b[7m';
const OFF = '\u001b[27m';
// biome-ignore lint/suspicious/noControlCharactersInRegex: color sequences written by a format.
const COLOR = /(\u001b\[[\d;]*m)/;

/** Highlights the matches of patterns and keeps existing colors. */
export function highlighted(text: string, patterns: readonly RegExp[]): string {
  if (patterns.length === 0) return text;
  return text
    .split(COLOR)
    .map((part, index) => (index % 2 === 1 ? part : marked(part, patterns)))
    .join('');
}

function marked(text: string, patterns: readonly RegExp[]): string {
  const marks = new Uint8Array(text.length);
  for (const pattern of patterns) {
    for (const { 0: found, index } of text.matchAll(pattern)) marks.fill(1, index, index + found.length);
  }
  let result = '';
  for (let from = 0; from < text.length; ) {
    const mark = marks[from]!;
    const next = marks.indexOf(mark === 1 ? 0 : 1, from);
    const to = next === -1 ? text.length : next;
    const part = text.slice(from, to);
    // Reverse video across a newline would fill the rest of the line.
    result += mark === 1 ? part.replace(/[^\n]+/g, `${ON}$&${OFF}`) : part;
    from = to;
  }
  return result;
}
