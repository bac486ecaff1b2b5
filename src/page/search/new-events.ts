import { type LiveEventsOptions, liveEvents, polledEvents } from '../api/live-events.ts';
import type { Row } from '../api/types.ts';
import { http } from '../state/page-state.ts';
import { hasStreams, isMissingApi } from '../state/service.ts';

/** The events of a query as they arrive: from a stream, or from polls of a live job if the service has no streams. */
export async function* newEvents(options: LiveEventsOptions): AsyncGenerator<readonly Row[]> {
  try {
    yield* hasStreams.value ? liveEvents(http, options) : polledEvents(http, options);
  } catch (error) {
    if (!hasStreams.value || !isMissingApi(error)) throw error;
    hasStreams.value = false;
    yield* polledEvents(http, options);
  }
}
