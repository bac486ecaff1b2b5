import type { EventIds } from './event-ids.ts';
import type { StoredEvent } from './stored-event.ts';

/** The text of a request, and what the server has added to its events: enough to make them again as they were. */
export interface KeptRequest {
  readonly text: string;
  readonly ids: EventIds;
  /** An event without fields of its own for each tags and time zone, in the order in which the text has them. */
  readonly envelopes: readonly StoredEvent[];
}
