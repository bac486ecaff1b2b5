import type { EventBatch } from '../store/event-batch.ts';
import type { ReadRequest } from '../store/log-lines.ts';
import { weightOf } from '../store/stored-event.ts';
import { newFormatCache, structuredText, unusual } from './structured-text.ts';

/** Creates a function that reads saved requests. It caches their event formats. */
export function requestReader(): ReadRequest {
  const known = newFormatCache();
  return ({ text, ids, envelopes }) => {
    let used = 0;
    const builder = {
      // Their size was checked on arrival.
      maxEventBytes: Number.POSITIVE_INFINITY,
      takeIds: () => ids,
      envelope: () => {
        const template = envelopes[used++];
        if (template === undefined) throw unusual;
        return { template, weight: weightOf(template) };
      },
    };
    return outcomeOf(structuredText(text, { repository: '', builder, known }));
  };
}

/** At startup, no other request is waiting. */
function outcomeOf(work: Generator<void, EventBatch | undefined>): EventBatch | undefined {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
