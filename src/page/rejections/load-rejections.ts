import { computed, signal } from '@preact/signals';
import { pause } from '../../core/delay.ts';
import { isTransient } from '../../core/http/transient.ts';
import { ACTIVITY_VIEW } from '../../core/wire/activity-view.ts';
import { queryResult } from '../api/queries.ts';
import type { Row } from '../api/rows.ts';
import { forEachKey } from '../state/for-each-key.ts';
import { repositories, sourceOf, token } from '../state/page-state.ts';
import { serviceUrl } from '../state/service.ts';
import { isOfQuery, rejectedRepository } from './rejected-repository.ts';

/** Requests and records that the server rejected for the same reason. */
export type ShownRejection = ReturnType<typeof toRejection>;

/** The causes of rejections, newest first. */
export const rejections = signal<readonly ShownRejection[]>([]);

/** Whether the server reports rejections. On a service, the repository of this name has other events. */
export const reportsRejections = computed(
  () => serviceUrl === undefined && (repositories.value?.some(({ name }) => name === ACTIVITY_VIEW) ?? false),
);

const REFRESH_MS = 3000;
const FIELDS = 'client, token, method, path, status, message, fix, excerpt, total, firstTime, @timestamp';
const QUERY = `#category=Rejection | groupBy(cause, function=selectLast([${FIELDS}]), limit=2000)`;

/** Keeps the rejections up to date, if the service reports them. */
export function startRejections(): void {
  const key = (): string => `${reportsRejections.value} ${token.value}`;
  forEachKey(key, (signal) => {
    rejections.value = [];
    if (reportsRejections.value) void keepLoading(signal);
  });
}

async function keepLoading(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!document.hidden) {
        const query = { queryString: QUERY, start: '100years', end: 'now', signal };
        const { events } = await queryResult(sourceOf(ACTIVITY_VIEW), query);
        if (!signal.aborted) show(events);
      }
    } catch (error) {
      // The search shows problems with the token or the server.
      if (signal.aborted || !isTransient(error)) return;
    }
    await pause(REFRESH_MS, signal);
  }
}

function show(rows: readonly Row[]): void {
  const missing = rows.filter(({ path, status }) => !isOfQuery(String(path), String(status)));
  const shown = missing.map(toRejection).sort((left, right) => right.lastTime - left.lastTime);
  if (JSON.stringify(shown) !== JSON.stringify(rejections.value)) rejections.value = shown;
}

function toRejection(row: Row) {
  const text = (name: string): string => String(row[name] ?? '');
  return {
    cause: text('cause'),
    client: text('client'),
    token: text('token'),
    /** Repository of the requests; `undefined` if unknown. */
    repository: rejectedRepository(text('token'), text('path')),
    /** Method, path and status. */
    request: `${text('method')} ${text('path')} ${text('status')}`,
    reason: text('message'),
    fix: text('fix'),
    excerpt: text('excerpt'),
    count: Number(row.total),
    firstTime: Number(row.firstTime),
    lastTime: Number(row['@timestamp']),
  };
}
