import { exactText, setField } from '../../engine/index.ts';
import { orMalformed } from '../http/http-error.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { nameOf, type Place } from './request-shape.ts';
import { isOpenToClients } from './system-fields.ts';

/** The length of field names grows with the depth, so hostile nesting would take quadratic memory. */
const MAX_DEPTH = 200;
export const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

/** Sets a field from a client. Ignores fields that only the server sets. */
export function putField(event: StoredEvent, name: string, value: string): void {
  const first = name.charCodeAt(0);
  if ((first === 0x40 || first === 0x23) && !isOpenToClients(name)) return;
  setField(event, name, value);
}

/**
 * Writes a JSON value as flat fields: `{"a": {"b": [1]}}` becomes `a.b[0]` = `1`. Numbers keep their text, `null` is
 * the string `null`, and empty objects and arrays have no field.
 *
 * @throws RangeError if the value is nested too deeply.
 */
export function flattenInto(event: StoredEvent, members: object): void {
  for (const [name, value] of Object.entries(members)) flattenValue(event, name, value, 1);
}

/** {@link flattenInto} for a part of a request. @throws HttpError 400 that says where it is nested too deeply. */
export function flattenAt(place: Place, event: StoredEvent, members: object): void {
  orMalformed(
    () => flattenInto(event, members),
    (message) => `${nameOf(place)} is ${message}.`,
  );
}

function flattenValue(event: StoredEvent, name: string, value: unknown, depth: number): void {
  if (typeof value === 'string' || typeof value === 'number') putField(event, name, exactText(value));
  else if (typeof value !== 'object' || value === null) putField(event, name, String(value));
  else {
    if (depth > MAX_DEPTH) throw new RangeError(TOO_DEEP);
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['.', ''];
    for (const [key, member] of Object.entries(value)) {
      flattenValue(event, `${name}${open}${key}${close}`, member, depth + 1);
    }
  }
}
