import { scriptUrl } from './script-url.ts';

/** Keeps the playground for use without a network. @param onReady called when it is complete */
export function keepOffline(onReady: () => void): void {
  navigator.serviceWorker
    ?.register(scriptUrl('service-worker.js'))
    .then(() => navigator.serviceWorker.ready)
    .then(onReady)
    // Some browsers allow none in private windows.
    .catch(() => {});
}
