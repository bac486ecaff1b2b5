import { pause } from '../../core/delay.ts';
import { search } from '../state/page-state.ts';
import { serviceUrl } from '../state/service.ts';
import { isLive } from './run-search.ts';

/** Shortest and longest pause of a live search, in milliseconds. The load on a service counts more than on this machine. */
const [REFRESH_MS, MAX_PAUSE_MS] = serviceUrl === undefined ? [2000, 10_000] : [10_000, 600_000];
const SHARE_OF_TIME = 10;

/** Loads a part of a search once, or repeatedly while the search is live. Pauses longer if loading takes long. */
export async function keepLoading(load: () => Promise<void>, signal: AbortSignal): Promise<void> {
  do {
    const begun = performance.now();
    await load();
    const spent = performance.now() - begun;
    await pause(Math.min(MAX_PAUSE_MS, Math.max(REFRESH_MS, SHARE_OF_TIME * spent)), signal);
    while (document.hidden && !signal.aborted) await pause(REFRESH_MS, signal);
  } while (!signal.aborted && isLive(search.value));
}
