// Formats numbers and tables as Markdown.

export function markdown(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, index) => (index === 0 ? '---' : '--:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

export const UNKNOWN = '-';

export function whole(number) {
  return number === undefined ? UNKNOWN : Math.round(number).toLocaleString('en');
}

export function fixed(number, digits = 1) {
  return number === undefined ? UNKNOWN : number.toFixed(digits);
}

export function megabytes(bytes) {
  return bytes === undefined ? UNKNOWN : whole(bytes / 1e6);
}

/** A number, followed by its ratio to another. */
export function withRatio(text, ratio) {
  return ratio === undefined ? text : `${text} (${ratio.toFixed(2)}x)`;
}

/** The fewest records delivered in a round, or the most if some arrived twice. */
export function deliveredText(results, records) {
  const least = Math.min(...results.map((each) => each.delivered));
  const most = Math.max(...results.map((each) => each.delivered));
  if (least === records && most === records) return 'all';
  if (most > records) return `${whole(most)} of ${whole(records)}: some twice`;
  return `${whole(least)} of ${whole(records)}`;
}

/** The first line of a message, shortened for a table cell. */
export const firstLine = (text) => text.split('\n', 1)[0].replaceAll('|', '/').slice(0, 120);
