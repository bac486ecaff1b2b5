import type { StoredEvent } from '../store/stored-event.ts';
import type { Instant } from './instant.ts';

/** What a parser makes of a line. */
export interface ParsedLine {
  /** The time that the line itself names. */
  readonly instant?: Instant | undefined;
  readonly fields: StoredEvent;
}
