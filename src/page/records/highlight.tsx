import type { JSX } from 'preact';

/** Text with the words of the query highlighted. It is isolated so that it can't reorder the text around it. */
export function Highlighted({ text, pattern }: { text: string; pattern: RegExp | undefined }): JSX.Element {
  if (pattern === undefined) return <bdi>{text}</bdi>;
  const parts: (string | JSX.Element)[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue;
    parts.push(text.slice(end, match.index), <mark>{match[0]}</mark>);
    end = match.index + match[0].length;
  }
  return <bdi>{[...parts, text.slice(end)]}</bdi>;
}
