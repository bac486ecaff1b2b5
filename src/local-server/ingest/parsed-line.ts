import type { StoredEvent } from '../store/stored-event.ts';
import type { Instant } from './instant.ts';

export interface ParsedLine {
  readonly instant?: Instant | undefined;
  readonly fields: StoredEvent;
}
