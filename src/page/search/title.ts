import { effect } from '@preact/signals';
import { repository, search } from '../state/page-state.ts';
import { serviceUrl } from '../state/service.ts';
import { fullQuery } from './query-text.ts';

const MAX_QUERY = 60;

/** Keeps the tab title up to date: query, repository, and the host of a service. */
export function startTitle(): void {
  effect(() => {
    const query = fullQuery(search.value).replace(/\s+/g, ' ').slice(0, MAX_QUERY);
    const host = serviceUrl === undefined ? '' : new URL(serviceUrl).host;
    const parts = [query, repository.value, host].filter((part) => part !== '');
    document.title = [parts.join(' · '), 'logclient'].filter((part) => part !== '').join(' – ');
  });
}
