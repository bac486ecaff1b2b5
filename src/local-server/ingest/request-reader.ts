import type { EventBatch } from '../store/event-batch.ts';
import type { ReadRequest } from '../store/log-lines.ts';
import { weightOf } from '../store/stored-event.ts';
import { nothingKnown, structuredText, unusual } from './structured-text.ts';

/** Makes what reads kept requests. It remembers the forms of their events from one to the next. */
export function requestReader(): ReadRequest {
  const known = nothingKnown();
  return ({ text, ids, envelopes }) => {
    let used = 0;
    const builder = {
      // They were not too large then.
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

/** At the start nobody waits for a turn. */
function outcomeOf(work: Generator<void, EventBatch | undefined>): EventBatch | undefined {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
