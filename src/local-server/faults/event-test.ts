import { readField } from '../../query-engine/index.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { EventMatch } from './fault.ts';

export type EventTest = (event: StoredEvent) => boolean;

export function eventTest(match: EventMatch): EventTest {
  if (typeof match === 'function') return (event) => match(event) === true;
  if (typeof match === 'string' || match instanceof RegExp)
    return (event) => holds(event['@rawstring'], match);
  const wanted = Object.entries(match);
  return (event) =>
    wanted.every(([name, value]) =>
      value instanceof RegExp
        ? holds(readField(event, name), value)
        : readField(event, name) === String(value),
    );
}

function holds(text: string | undefined, part: string | RegExp): boolean {
  if (text === undefined) return false;
  // `search` pays no attention to the position that an expression with the flag `g` keeps.
  return typeof part === 'string' ? text.includes(part) : text.search(part) !== -1;
}
