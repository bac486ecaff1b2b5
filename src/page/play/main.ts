/** Starts the playground: the page's requests are answered by a local server in a web worker. */
import './play.css';
import { HOUR_MS } from '../../core/epoch.ts';
import type { WorkerContents } from '../../core/wire/worker-messages.ts';
import { parseState, printState } from '../state/search-state.ts';
import { startBar } from './bar.ts';
import { byId } from './elements.ts';
import { openLines, PASTED, readData } from './pasted-lines.ts';
import { isSample, SAMPLES, sampleEvents } from './samples.ts';
import { workerFetch } from './worker-fetch.ts';

const LIVE_MS = 1_000;
/** Leaves the network and the processor to the first result. */
const OFFLINE_DELAY_MS = 2_000;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): void;
}

// The content security policy limits where scripts come from. It also wants their addresses to pass a policy.
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', { createScriptURL: (url) => url });

const base = new URL('.', location.href).href;
const send = workerFetch(startWorker(), base);
const loaded = load();
globalThis.fetch = async (...request) => {
  await loaded;
  return send(...request);
};
startBar(base);
void loaded.then(() => setTimeout(keepOffline, OFFLINE_DELAY_MS));

/**
 * The worker is created from a blob, because that makes the page's content security policy its own: it can't send
 * anything, either.
 */
function startWorker(): Worker {
  const script = `import ${JSON.stringify(new URL('page/server.js', base).href)};`;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const contents: WorkerContents = {
    repositories: Object.fromEntries(SAMPLES.map(({ repository }) => [repository, []])),
  };
  const created = new Worker(url, { type: 'module', name: JSON.stringify(contents) });
  created.onerror = () => document.body.append('The playground could not be started. Reload the page.');
  return created;
}

/** Loads the lines in the address and the stories of the samples, which end now, then what happens from now on. */
async function load(): Promise<void> {
  const begin = Date.now() - HOUR_MS;
  const state = parseState(location.hash);
  const { data } = state;
  // The first lines have this name, which were the second or third ones for the sender.
  const isOfLines = data !== '' && !isSample(state.repository);
  const repository = isOfLines ? PASTED : state.repository || SAMPLES[0]!.repository;
  // Before the page reads the address.
  history.replaceState(null, '', `#${printState({ ...state, repository })}`);
  if (data !== '') {
    const lines = readData(data).then((text) => openLines(send, base, text));
    // The page reports what is missing if the address is damaged.
    await lines.catch(() => {});
  }
  let end = begin;
  const ingest = async (): Promise<void> => {
    const start = end;
    end = Date.now();
    for (const sample of SAMPLES) {
      const events = sampleEvents(sample, begin, start, end);
      if (events.length === 0) continue;
      const body = JSON.stringify(events);
      await send(`${base}api/v1/repositories/${sample.repository}/ingest`, { method: 'POST', body });
    }
  };
  await ingest();
  setInterval(() => void ingest(), LIVE_MS);
}

/** Keeps the playground for use without a network. */
function keepOffline(): void {
  navigator.serviceWorker
    ?.register('service-worker.js')
    .then(() => navigator.serviceWorker.ready)
    .then(() => {
      byId('offline').textContent = 'Ready offline.';
    })
    // Some browsers allow none in private windows.
    .catch(() => {});
}
