import { tryOr } from '../try-or.ts';

/** One line of a stack trace, without the indentation. */
export interface Frame {
  readonly text: string;
  /** The part of the text that names the file, the line and the column. */
  readonly place: Place | undefined;
  /** The line of source code, if the stack trace has it. */
  readonly source: string;
  /** Whether the frame belongs to a library or the runtime. */
  readonly isForeign: boolean;
}

export interface Place {
  readonly text: string;
  /** Absolute path. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** An error in a stack trace: the error itself, one of its causes, or what the runtime adds. */
export interface StackSection {
  /** The lines before the first frame, usually one. */
  readonly title: string;
  readonly frames: readonly Frame[];
}

/** Java logs the cause of all others last. */
const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 500;

/** `at f (/srv/a.js:1:2)`, `at com.example.A.f(A.java:12)`. */
const AT = /^at\s/;
/** `f@https://shop.example/a.js:1:2`, as Firefox and Safari print it. */
const BROWSER_FRAME = /^[^\s@]*@\w+:\/\/\S+:\d+:\d+$/;
/** `File "/srv/a.py", line 12, in f`, as Python prints it. */
const PYTHON_FRAME = /^File "(.*)", line (\d+)/;
/** The end of a line with a function of Go, above its place: `main.buy(0x2a)`, `/srv/a.go:12 +0x1d`. */
const GO_BREAK = /\r?\n\t(?=\S[^\n]*\.(?:go|s):\d+(?: \+0x[\da-f]+)?\r?(?:\n|$))/g;
const GO_FRAME = /^[^\t]+\t(.+):(\d+)(?: \+0x[\da-f]+)?$/;
/** `... 12 more`, as Java prints it, and the line of Node.js: frames that the error has in common with another one. */
export const OMITTED = /^\.\.\. \d+ (?:more|common frames omitted|lines matching cause stack trace \.\.\.)$/;
/** The end of the properties of an error that Node.js prints, or a marker below a line of Python. */
const PUNCTUATION = /^[\]})\s,~^]+$/;

/** Parses the stack trace of a JavaScript, Python, Java, .NET or Go error. Lines that are not part of a frame belong to a title. */
export function readStack(text: string): readonly StackSection[] {
  const sections: { title: string; frames: Frame[] }[] = [];
  for (const line of text.replace(GO_BREAK, '\t').split('\n', MAX_LINES)) {
    const kept = line.slice(0, MAX_LINE_LENGTH).trimEnd();
    const trimmed = kept.trimStart();
    const section = sections.at(-1);
    const last = section?.frames.at(-1);
    if (trimmed === '' || (last !== undefined && PUNCTUATION.test(trimmed))) continue;
    if ([AT, BROWSER_FRAME, PYTHON_FRAME, GO_FRAME, OMITTED].some((pattern) => pattern.test(trimmed))) {
      if (section === undefined) sections.push({ title: '', frames: [readFrame(trimmed)] });
      else section.frames.push(readFrame(trimmed));
    } else if (last !== undefined && /^\s{4}/.test(line) && PYTHON_FRAME.test(last.text)) {
      section!.frames.splice(-1, 1, { ...last, source: `${last.source}${trimmed}\n` });
    } else if (section === undefined || last !== undefined) sections.push({ title: kept, frames: [] });
    else section.title += `\n${kept}`;
  }
  return sections;
}

function readFrame(text: string): Frame {
  const place = placeOf(text);
  return { text: text.replace('\t', ' '), place, source: '', isForeign: isForeign(text, place) };
}

const JAVA_PLACE = /\([^()]+\.(?:java|kt|scala|groovy|clj):\d+\)$/;
const JAVA_LIBRARY =
  /^at (?:[\w.@-]*\/)*(?:java|javax|jdk|sun|com\.sun|jakarta|kotlin|kotlinx|scala|groovy|clojure|org\.(?:springframework|apache|hibernate|junit|eclipse|gradle)|io\.netty|reactor)\./;
const LIBRARY_PATH =
  /[\\/](?:node_modules|site-packages|dist-packages|lib[\\/]python[\d.]+|pkg[\\/]mod|(?:go[^\\/]*|libexec)[\\/]src(?=[\\/][^\\/.]+[\\/].*\.(?:go|s):))[\\/]|[(\s]node:/;

function isForeign(text: string, place: Place | undefined): boolean {
  if (JAVA_PLACE.test(text)) return JAVA_LIBRARY.test(text);
  return !OMITTED.test(text) && (place === undefined || LIBRARY_PATH.test(text));
}

/** The place of a frame if it is a file with an absolute path, not a URL of a web page, another host or a bundler. */
function placeOf(frame: string): Place | undefined {
  const [, file, row] =
    PYTHON_FRAME.exec(frame) ?? GO_FRAME.exec(frame) ?? / in (.+):line (\d+)$/.exec(frame) ?? [];
  if (file !== undefined)
    return isAbsolute(file) ? { text: file, path: file, line: Number(row), column: 1 } : undefined;
  const called = frame.replace(/ \{$/, '');
  const start = called.endsWith(')') ? called.indexOf(' (') : called.search(/\s(?!async\s)/);
  const text = called.endsWith(')') ? called.slice(start + 2, -1) : called.slice(start + 1);
  const [, named = '', line, column = '1'] = /^(.+?):(\d+)(?::(\d+))?$/.exec(text) ?? [];
  const url = /^file:\/\/(\/.*)/.exec(named)?.[1];
  const path =
    url === undefined ? named : tryOr(url, () => decodeURIComponent(url).replace(/^\/(?=[A-Za-z]:)/, ''));
  return isAbsolute(path) ? { text, path, line: Number(line), column: Number(column) } : undefined;
}

/** Windows interprets a path that starts with two slashes as the name of another machine. */
function isAbsolute(path: string): boolean {
  return /^(?:\/(?![\\/])|[A-Za-z]:[\\/](?![\\/]))/.test(path);
}
