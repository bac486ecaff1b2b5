/** An object of the HTTP Event Collector. */
export interface HecObject {
  readonly time?: number;
  readonly event: unknown;
  readonly host?: string;
  readonly source?: string;
  readonly sourcetype?: string;
  readonly index?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Splunk's response to an invalid request. */
export interface HecFailure {
  readonly text: string;
  readonly code: number;
  readonly 'invalid-event-number': number;
}

/**
 * Reads the body of a request like Splunk: concatenated JSON objects, up to the first invalid one. Stricter than
 * Splunk: `time` must be a number, and unknown members are invalid.
 */
export function readHecBody(text: string): { objects: HecObject[]; failure: HecFailure | undefined } {
  const objects: HecObject[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const end = objectEnd(text, at);
    const read = end === -1 ? failed('Invalid data format', 6) : readObject(text.slice(at, end));
    if ('code' in read)
      return { objects, failure: { ...read, 'invalid-event-number': objects.length } as HecFailure };
    objects.push(read);
    at = skipSpace(text, end);
  }
  return { objects, failure: undefined };
}

type Failed = Pick<HecFailure, 'text' | 'code'>;

function failed(text: string, code: number): Failed {
  return { text, code };
}

function readObject(json: string): HecObject | Failed {
  let members: Record<string, unknown>;
  try {
    members = JSON.parse(json);
  } catch {
    return failed('Invalid data format', 6);
  }
  const { time, event, fields = {}, timezone, ...metadata } = members;
  const { host, source, sourcetype, index, ...unknown } = metadata;
  const isText = [host, source, sourcetype, index, timezone].every((value) =>
    ['string', 'undefined'].includes(typeof value),
  );
  const isTime = time === undefined || typeof time === 'number';
  if (!isText || !isTime || Object.keys(unknown).length > 0) return failed('Invalid data format', 6);
  if (event === undefined || event === null) return failed('Event field is required', 12);
  if (event === '') return failed('Event field cannot be blank', 13);
  if (
    typeof fields !== 'object' ||
    Object.values(fields as object).some((value) => typeof value === 'object')
  ) {
    return failed('Error in handling indexed fields', 15);
  }
  return members as unknown as HecObject;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text.charAt(next))) next++;
  return next;
}

/** The index after the object that starts here, or -1. */
function objectEnd(text: string, start: number): number {
  if (text[start] !== '{') return -1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      if (at === -1) return -1;
    } else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** The index of the closing quote, or -1. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}
