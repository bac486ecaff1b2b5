import { OPEN_BRACE, OPEN_BRACKET } from '../../ascii.ts';
import { isJsonObject } from '../../json-object.ts';
import { tryOr } from '../../try-or.ts';

/** What another program makes of a line that it passes on. */
export interface Envelope {
  /** What it adds, of a time, a stream, a container and a pod. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The line inside, or a part of it. */
  readonly line: string;
  /** Whether the next line has the next part. */
  readonly isPart: boolean;
  /** Only lines of one source belong together. */
  readonly source: string;
}

const SECOND = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`;
const ZONE = String.raw`(?:Z|[+-]\d\d:?\d\d)`;
/** Kubernetes (CRI), whose `P` is a part of a line, `F` a whole one or its end. */
export const CRI = String.raw`${SECOND}(?:[.,]\d+)?${ZONE} (?:stdout|stderr) [FP] `;
/** `docker logs -t` and `kubectl logs --timestamps` always write nine digits. */
export const STAMP = String.raw`${SECOND}\.\d{9}${ZONE} `;
const stamped = /(?<time>\S+) (?:(?<stream>stdout|stderr) (?<part>[FP]) )?/y;
const COMPOSE = String.raw`(?<container>[a-z][\w.-]*[-_]\d+)[ \t]+\| `;
const POD = String.raw`\[pod/(?<pod>[^\]/\s]+)/(?<container>[^\]\s]+)\] `;
const stamp = new RegExp(`${CRI}|${STAMP}`, 'y');
const compose = new RegExp(COMPOSE, 'y');
const pod = new RegExp(POD, 'y');
/** The start of a line that the `json-file` driver of Docker writes, with the line as the first member. */
const DOCKER = '{"log":"';
/** The start of any of these lines. */
export const ENVELOPE = [CRI, STAMP, COMPOSE, POD, DOCKER.replace('{', '\\{')]
  .map((source) => source.replaceAll(/\?<\w+>/g, ''))
  .join('|');
const UPPER_T = 0x54;
const LOWER_A = 0x61;
const NEWLINE = /\r?\n$/;

/** The envelope of the line at a position of a text. */
export function envelopeAt(text: string, at: number): Envelope | undefined {
  const first = text.charCodeAt(at);
  if (first === OPEN_BRACE)
    return text.startsWith(DOCKER, at) ? dockerLine(text.slice(at, lineEnd(text, at))) : undefined;
  const regex = first === OPEN_BRACKET ? pod : first >= LOWER_A ? compose : stamp;
  if ((regex === stamp && text.charCodeAt(at + 10) !== UPPER_T) || !startsAt(regex, text, at))
    return undefined;
  const named = regex === stamp ? stamped : regex;
  named.lastIndex = at;
  const { part, ...fields } = named.exec(text)!.groups!;
  const source = `${fields.pod} ${fields.container} ${fields.stream}`;
  return { fields, source, isPart: part === 'P', line: text.slice(named.lastIndex, lineEnd(text, at)) };
}

function startsAt(regex: RegExp, text: string, at: number): boolean {
  regex.lastIndex = at;
  return regex.test(text);
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  const end = newline === -1 ? text.length : newline;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function dockerLine(json: string): Envelope | undefined {
  const object = tryOr(undefined, () => JSON.parse(json) as unknown);
  if (!isJsonObject(object)) return undefined;
  const { log, ...fields } = object;
  const { stream, time } = fields;
  if (typeof log !== 'string' || typeof stream !== 'string' || typeof time !== 'string') return undefined;
  return { fields, source: stream, isPart: !log.endsWith('\n'), line: log.replace(NEWLINE, '') };
}

/** Lines of one source, one after the other. */
export interface PassedLines {
  readonly fields: Envelope['fields'];
  /** The lines inside. */
  readonly text: string;
  /** Where each envelope starts and ends. */
  readonly places: readonly (readonly [start: number, end: number])[];
  /** Where the line of each envelope starts in `text`. */
  readonly insides: readonly number[];
  /** Where the last line starts, and the one after it. */
  readonly last: number;
  readonly next: number;
}

/** The lines in envelopes of one source from a position of a text on; `undefined` if the first one has none. @param isRecord keeps lines without one */
export function passedLines(text: string, at: number, isRecord = false): PassedLines | undefined {
  const first = envelopeAt(text, at);
  if (first === undefined) return undefined;
  const places: [number, number][] = [];
  const insides: number[] = [];
  let inside = '';
  let isPart = true;
  let next = at;
  while (next < text.length) {
    const start = next;
    const end = lineEnd(text, start);
    const own = start === at ? first : envelopeAt(text, start);
    if (own?.source !== first.source && !isRecord) break;
    if (!isPart) inside += '\n';
    insides.push(inside.length);
    inside += own === undefined ? text.slice(start, end) : own.line;
    isPart = own?.isPart ?? false;
    places.push([start, end]);
    next = text.indexOf('\n', end) + 1 || text.length;
  }
  return { fields: first.fields, text: inside, places, insides, last: places.at(-1)![0], next };
}
