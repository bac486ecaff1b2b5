import { countText } from '../count-text.ts';
import { shortenText } from '../shorten-text.ts';
import { MESSAGE_FIELDS } from './record-fields.ts';
import { OMITTED, readStack, type StackSection } from './stack.ts';

/** The error of a record: the same view, whichever logger wrote it. */
export interface RecordError {
  /** The error, then its causes. A title is `Name [code]: message`; that of a cause starts with `caused by`. */
  readonly sections: readonly StackSection[];
  /** The stack as it was logged; empty without one. */
  readonly stack: string;
  /** Names of the fields that the sections show. */
  readonly fields: ReadonlySet<string>;
}

/** By precedence: pino, bunyan and LogLayer; winston, `console`, ECS, Datadog; OpenTelemetry, Ruby; Log4j; Logback. */
export const ERROR_OBJECTS = ['err', 'error', 'exception', 'attributes.exception', 'thrown', 'throwable'];
/** An argument, as log4js and programs that wrap `console` write it. */
const ARGUMENT = /^(?:args|data)\[\d+\](?=\.stack)/;
export const ERROR_NAMES = ['type', 'name', 'kind', 'class', 'className'];
const STACKS = ['stack', 'stack_trace', 'stacktrace', 'stackTrace', 'backtrace', 'extendedStackTrace'];
/** Fields of the record: winston, Google Cloud, AWS Lambda, zap, Python, .NET. */
const OWN_STACKS = [...STACKS, 'exc_info', 'exception', 'Exception', 'error'];
/** A record without such a field has no error, so it isn't read further. */
const EVIDENCE = /^err|^thr|exc|stack|backtrace/i;

/** A frame of Log4j. */
const FRAME_MEMBERS = ['class', 'method', 'file', 'line'];

const MAX_ERRORS = 30;
const MAX_FRAMES = 2000;
const MAX_TITLE_LENGTH = 4000;
/** A name, a code and a message. */
const TITLE = /^([\w$.]+)(?: \[([\w-]+)\])?(?:: ?(.*))?$/s;
/** `stack` may also be the name of a group of servers. */
const IS_STACK = /\n|^[\w.$]*(?:Error|Exception)\b/;
const HAS_FRAMES = /\n[\t ]+(?:at |File "|\S+\.go:\d)/;
const TRACEBACK = /^Traceback \(most recent call last\):/m;
const CAUSE = /^[\t ]*(?:caused by|\[cause\]):? */im;

/** Reads the error of a record with flat fields. @returns `undefined` if there is none */
export function recordError(row: Readonly<Record<string, unknown>>): RecordError | undefined {
  const reader = new ErrorReader(row);
  const own = reader.readFields();
  const shown = own.length > 0 ? own : reader.readMessage();
  if (shown.length === 0) return undefined;
  const { stack, fields } = reader;
  // winston repeats the stack of an exception.
  for (const name of Object.keys(row)) if (stack !== '' && row[name] === stack) fields.add(name);
  const sections = shown.map((each) => ({ ...each, title: shortenText(each.title, MAX_TITLE_LENGTH) }));
  return { sections, stack, fields };
}

/** Whether some frames, but not all, belong to libraries. */
export function canFold(sections: readonly StackSection[]): boolean {
  const frames = sections.flatMap((section) => section.frames).filter(({ text }) => !OMITTED.test(text));
  return new Set(frames.map(({ isForeign }) => isForeign)).size > 1;
}

/** An error as lines: its title and frames, then those of its causes. Frames of libraries are folded. */
export function errorLines({ sections }: RecordError): string[] {
  const folds = canFold(sections);
  return sections.flatMap(({ title, frames }) => {
    const lines = frames.flatMap(({ text, source, isForeign }, index) => {
      if (!(folds && isForeign)) return [`    ${text}`, ...source.split('\n').map((line) => `      ${line}`)];
      if (frames[index + 1]?.isForeign === true) return [];
      const folded = index - frames.findLastIndex((frame, at) => at < index && !frame.isForeign);
      return [`    … ${countText(folded, 'frame')} of packages`];
    });
    return [...title.split('\n'), ...lines].filter((line) => line.trim() !== '');
  });
}

class ErrorReader {
  readonly fields = new Set<string>();
  stack = '';
  readonly #row: Readonly<Record<string, unknown>>;
  readonly #names: readonly string[];
  #errorsLeft = MAX_ERRORS;

  constructor(row: Readonly<Record<string, unknown>>) {
    this.#row = row;
    this.#names = Object.keys(row);
  }

  readFields(): readonly StackSection[] {
    if (!this.#names.some((name) => EVIDENCE.test(name))) return [];
    for (const object of [...ERROR_OBJECTS, ...this.#names.flatMap((name) => ARGUMENT.exec(name) ?? [])]) {
      const sections = this.#errorAt(object, STACKS);
      if (sections.length > 0) return sections;
    }
    const own = this.#ownError('');
    return own.length > 0 ? own : this.#ownError('message.');
  }

  /** Reads an error that is part of the message. */
  readMessage(): readonly StackSection[] {
    const text = MESSAGE_FIELDS.map((name) => this.#text(name)).find((each) => each !== '') ?? '';
    if (!HAS_FRAMES.test(text)) return [];
    this.stack = text.trimEnd();
    return inOrder(readStack(text));
  }

  /** @param others where the stack may be instead */
  #errorAt(at: string, others: readonly string[] = []): StackSection[] {
    if (!this.#has(`${at}.`)) return [];
    const own = this.#stackIn(membersOf([at], STACKS));
    const [message = ''] = this.#texts([`${at}.message`]);
    if ((own === '' && message === '') || this.#errorsLeft-- <= 0) return [];
    const [code = ''] = this.#texts([`${at}.code`]);
    const parts = { names: this.#texts(membersOf([at], ERROR_NAMES)), message, code };
    return this.#sections(parts, own || this.#stackIn(others, IS_STACK), `${at}.`);
  }

  /** Reads an error whose members are fields of the record, or of its message in AWS Lambda. */
  #ownError(path: '' | 'message.'): StackSection[] {
    const at = (name: string): string => path + name;
    const stack = this.#stackIn(OWN_STACKS.map(at), IS_STACK);
    const [message = ''] = this.#texts([at('errorMessage')]);
    if (stack === '' && message === '') return [];
    const isTitled =
      stack === this.#text(at('error')) || TITLE.test(inOrder(readStack(stack))[0]?.title ?? '');
    const [text = ''] = message === '' && !isTitled ? this.#texts([at('error')]) : [message];
    const [code = ''] = /^[A-Z]\w*$/.test(this.#text(at('code'))) ? this.#texts([at('code')]) : [];
    return this.#sections({ names: this.#texts([at('errorType')]), message: text, code }, stack, path);
  }

  #sections(parts: TitleParts, stack: string, path: string): StackSection[] {
    this.stack ||= stack;
    const [first, ...others] = inOrder(readStack(stack));
    const hasCauses = others.some(({ title }) => /^caused by /m.test(title));
    const title = titleOf(parts, first?.title ?? '', hasCauses);
    const causes = this.#causesOf(path);
    return [{ title, frames: first?.frames ?? [] }, ...others, ...(hasCauses ? [] : causes)];
  }

  /** Reads the cause, and the errors of an `AggregateError`. */
  #causesOf(path: string): StackSection[] {
    return ['cause', 'errors', 'aggregateErrors'].flatMap((member) => {
      const causes: StackSection[] = [];
      for (let index = 0; index < MAX_ERRORS; index++) {
        const at = `${path}${member}${member === 'cause' ? '' : `[${index}]`}`;
        const [first, ...others] = this.#errorAt(at);
        const title = first?.title ?? this.#texts([at])[0];
        if (title === undefined) break;
        causes.push({ title: `caused by ${title}`, frames: first?.frames ?? [] }, ...others);
        if (member === 'cause') break;
      }
      return causes;
    });
  }

  /** The first stack: text, or a list of lines or frames. */
  #stackIn(names: readonly string[], pattern = /./): string {
    for (const name of names) {
      const text = this.#text(name) || this.#listAt(name);
      if (!pattern.test(text)) continue;
      this.#texts([name]);
      return text.trimEnd();
    }
    return '';
  }

  #listAt(name: string): string {
    const lines: string[] = [];
    if (!this.#has(`${name}[`)) return '';
    while (lines.length < MAX_FRAMES) {
      const at = `${name}[${lines.length}]`;
      const [type, method, file, line] = this.#texts(membersOf([at], FRAME_MEMBERS));
      const [text = line && `    at ${type}.${method} (${file}:${line})`] = this.#texts([at]);
      if (text === undefined) break;
      lines.push(text);
    }
    return lines.join('\n');
  }

  #has(start: string): boolean {
    return this.#names.some((name) => name.startsWith(start));
  }

  /** The values of fields that the sections show. */
  #texts(names: readonly string[]): string[] {
    const present = names.filter((name) => this.#text(name) !== '');
    for (const name of present) this.fields.add(name);
    return present.map((name) => this.#text(name));
  }

  #text(name: string): string {
    const value = this.#row[name];
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  }
}

interface TitleParts {
  readonly names: readonly string[];
  readonly message: string;
  readonly code: string;
}

/** @param logged the title in the stack; pino appends the messages of the causes to `message`, but not to it. */
function titleOf({ names, message, code }: TitleParts, logged: string, hasCauses: boolean): string {
  const [, name = '', loggedCode = '', text = ''] = (logged === message ? null : TITLE.exec(logged)) ?? [];
  const known = [...names, name].filter((each) => each !== '');
  const shownCode = code || loggedCode;
  const head = [known.find((each) => each !== 'Error') ?? known[0] ?? '', shownCode && `[${shownCode}]`]
    .filter((part) => part !== '')
    .join(' ');
  const oneLine = (each: string): string => each.replace(/\s+/g, ' ');
  const isChain = hasCauses && oneLine(message).startsWith(oneLine(`${text}: `));
  const shown = isChain ? text : message || text;
  const title = [head, shown].filter((part) => part !== '').join(': ');
  // Not in this form, such as the panic of a Go program.
  return name === '' && !title.includes(logged) ? `${title}\n${logged}`.trim() : title;
}

/** Errors before their causes. Python logs the cause first, and each title below its frames. */
function inOrder(sections: readonly StackSection[]): StackSection[] {
  const isPython = TRACEBACK.test(sections[0]?.title ?? '') && sections.at(-1)!.frames.length === 0;
  if (!isPython) {
    return sections.map(({ title, frames }, index) => {
      return { title: index === 0 ? title : title.replace(CAUSE, 'caused by '), frames };
    });
  }
  const errors = sections.slice(1).map(({ title }, index) => {
    const [own = ''] = title.split(/\n(?=During handling of|The above exception)/, 1);
    return {
      title: index === sections.length - 2 ? own : `caused by ${own}`,
      frames: sections[index]!.frames,
    };
  });
  return errors.reverse();
}

export function membersOf(objects: readonly string[], members: readonly string[]): string[] {
  return objects.flatMap((object) => members.map((member) => `${object}.${member}`));
}
