import { finish } from '../../engine/index.ts';
import type { ReadRequest } from '../store/log-lines.ts';
import { weightOf } from '../store/stored-event.ts';
import { FormatCache, structuredText } from './structured-text.ts';

/** Creates a function that reads saved requests. It caches their event formats. */
export function requestReader(): ReadRequest {
  const formats = new FormatCache();
  return ({ text, ids, templates }) => {
    let used = 0;
    const builder = {
      // Their size was checked on arrival.
      maxEventBytes: Number.POSITIVE_INFINITY,
      takeIds: () => ids,
      defaults: () => {
        const template = templates[used++];
        return template && { template, weight: weightOf(template) };
      },
    };
    // At startup, no other request is waiting.
    return finish(structuredText(text, { repository: '', builder, formats }));
  };
}
