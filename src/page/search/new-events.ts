import { type LiveEventsOptions, liveEvents } from '../api/live-events.ts';
import type { Row } from '../api/rows.ts';
import { sourceOf } from '../state/page-state.ts';
import { hasStreams, isMissingApi } from '../state/service.ts';

/** The events of a query as they arrive, by query jobs if the service has no streams. */
export async function* newEvents(
  repository: string,
  options: LiveEventsOptions,
): AsyncGenerator<Row, void, undefined> {
  try {
    yield* liveEvents(sourceOf(repository), options);
  } catch (error) {
    if (!hasStreams.value || !isMissingApi(error)) throw error;
    hasStreams.value = false;
    yield* liveEvents(sourceOf(repository), options);
  }
}
