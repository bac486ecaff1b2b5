import { OPEN_BRACKET } from '../../ascii.ts';
import { isJsonObject } from '../../json-object.ts';
import { lineEnd } from '../../line-splitter.ts';
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
const COMPOSE = String.raw`(?<container>[a-z][\w.-]*[-_]\d+)[ \t]+\| `;
const POD = String.raw`\[pod/(?<pod>[^\]/\s]+)/(?<container>[^\]\s]+)\] `;
const stamped = new RegExp(`(?=${CRI}|${STAMP})(?<time>\\S+) (?:(?<stream>std...?) (?<part>[FP]) )?`, 'y');
const compose = new RegExp(COMPOSE, 'y');
const pod = new RegExp(POD, 'y');
/** The start of a line that the `json-file` driver of Docker writes, with the line as the first member. */
const DOCKER = '{"log":"';
/** The start of any of these lines. */
export const ENVELOPE = `${CRI}|${STAMP}|${COMPOSE}|${POD}|\\${DOCKER}`.replaceAll(/\?<\w+>/g, '');
const UPPER_T = 0x54;
const LOWER_A = 0x61;

/** The envelope of the line at a position of the text. */
export function envelopeAt(text: string, at: number): Envelope | undefined {
  if (text.startsWith(DOCKER, at)) return dockerLine(text.slice(at, lineEnd(text, at)));
  const first = text.charCodeAt(at);
  const head = first === OPEN_BRACKET ? pod : first >= LOWER_A ? compose : stamped;
  if (head === stamped && text.charCodeAt(at + 10) !== UPPER_T) return undefined;
  head.lastIndex = at;
  const groups = head.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { part, ...fields } = groups;
  const source = `${fields.pod} ${fields.container} ${fields.stream}`;
  return { fields, source, isPart: part === 'P', line: text.slice(head.lastIndex, lineEnd(text, at)) };
}

function dockerLine(json: string): Envelope | undefined {
  const object = tryOr(undefined, () => JSON.parse(json) as unknown);
  if (!isJsonObject(object)) return undefined;
  const { log, ...fields } = object;
  const { stream, time } = fields;
  if (typeof log !== 'string' || typeof stream !== 'string' || typeof time !== 'string') return undefined;
  return { fields, source: stream, isPart: !log.endsWith('\n'), line: log.replace(/\r?\n$/, '') };
}

/** Lines of one source, one after the other. */
export interface PassedLines {
  readonly fields: Envelope['fields'];
  /** The lines inside. */
  readonly text: string;
  /** Where each envelope starts and ends, and where its line starts in `text`. */
  readonly places: readonly { readonly start: number; readonly end: number; readonly inside: number }[];
  /** Whether the last line is not complete. */
  readonly isPart: boolean;
  /** Where the next line starts. */
  readonly next: number;
}

/** The lines in envelopes of one source from a position on; `undefined` if the first one has none. @param isRecord keeps lines without one */
export function passedLines(text: string, at: number, isRecord = false): PassedLines | undefined {
  const first = envelopeAt(text, at);
  if (first === undefined) return undefined;
  const places = [];
  let inside = '';
  let isPart = true;
  let next = at;
  while (next < text.length) {
    const start = next;
    const end = lineEnd(text, start);
    const own = start === at ? first : envelopeAt(text, start);
    if (own?.source !== first.source && !isRecord) break;
    if (!isPart) inside += '\n';
    places.push({ start, end, inside: inside.length });
    inside += own?.line ?? text.slice(start, end);
    isPart = own?.isPart ?? false;
    next = text.indexOf('\n', end) + 1 || text.length;
  }
  return { fields: first.fields, text: inside, places, isPart, next };
}

/** Finds the envelope of each place inside, in ascending order. */
export function envelopeFinder({ places }: PassedLines): (inside: number) => number {
  let index = 0;
  return (inside) => {
    while (index + 1 < places.length && places[index + 1]!.inside <= inside) index++;
    return index;
  };
}
