import { pause } from '../../core/delay.ts';
import { search } from '../state/page-state.ts';
import { serviceUrl } from '../state/service.ts';
import { isLive } from './run-search.ts';

/** Refresh interval of a live search, in milliseconds. It is longer if loading takes long, but not much on this machine. */
const [REFRESH_MS, MAX_PAUSE_MS] = serviceUrl === undefined ? [2000, 10_000] : [10_000, 600_000];
const SHARE_OF_TIME = 10;

/** Loads something of a search once, or again and again as long as the search is live. */
export async function keepLoading(load: () => Promise<void>, signal: AbortSignal): Promise<void> {
  do {
    const begun = performance.now();
    await load();
    const spent = performance.now() - begun;
    await pause(Math.min(MAX_PAUSE_MS, Math.max(REFRESH_MS, SHARE_OF_TIME * spent)), signal);
    while (document.hidden && !signal.aborted) await pause(REFRESH_MS, signal);
  } while (!signal.aborted && isLive(search.value));
}
