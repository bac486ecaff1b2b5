/** One line of a stack, without the indentation. */
export interface Frame {
  readonly text: string;
  /** An address that opens the file in an editor. */
  readonly link: string | undefined;
  /** The part of the text that the link covers. */
  readonly place: string | undefined;
  /** Whether the frame is of a library or of Node.js. */
  readonly isForeign: boolean;
}

export interface Stack {
  /** The lines before the first frame, usually one. */
  readonly title: string;
  readonly frames: readonly Frame[];
}

const MAX_LINES = 200;
/** The time to find a place grows with the square of the length. */
const MAX_LINE_LENGTH = 500;
const PLACE = /\(?((?:file:\/\/)?(\/[^():\n]+|[A-Za-z]:[\\/][^():\n]+):(\d+)(?::(\d+))?)\)?$/;

/** Reads a stack of a JavaScript error; a cause and what else follows stays in place. */
export function readStack(text: string): Stack {
  const lines = text.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH).trim());
  const first = lines.findIndex((line) => /^at\s/.test(line));
  if (first === -1) return { title: text, frames: [] };
  return {
    title: lines.slice(0, first).join('\n'),
    frames: lines
      .slice(first)
      .filter((line) => line !== '')
      .map(readFrame),
  };
}

function readFrame(text: string): Frame {
  const match = PLACE.exec(text);
  const isForeign = !/^at\s/.test(text) || match === null || /[\\/]node_modules[\\/]|\(node:/.test(text);
  if (match === null) return { text, link: undefined, place: undefined, isForeign };
  const [, place, path = '', line, column = '1'] = match;
  const file = path.replaceAll('\\', '/').replace(/^(?!\/)/, '/');
  return { text, place, isForeign, link: `vscode://file${encodeURI(file)}:${line}:${column}` };
}
