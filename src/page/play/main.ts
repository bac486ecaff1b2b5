/** Starts the playground: the page's requests are answered by a local server in a web worker. */
import './play.css';
import type { WorkerContents } from '../../core/wire/worker-messages.ts';
import { showBar } from './bar.ts';
import { keepOffline } from './offline.ts';
import { openLines, PASTED, readData } from './pasted-lines.ts';
import { SAMPLES, type Sample } from './samples.ts';
import { scriptUrl } from './script-url.ts';
import { workerFetch } from './worker-fetch.ts';

const HOUR_MS = 3_600_000;
const LIVE_MS = 1_000;
/** Time from the first result until the files are kept for offline use. */
const OFFLINE_DELAY_MS = 1_000;

const base = new URL('.', location.href.split('#')[0]).href;
const worker = startWorker();
/** Sends requests at once: those of the page wait for the sample that it shows. */
const send = workerFetch(worker, base, Promise.resolve());

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
  const options: WorkerOptions = { type: 'module', name: JSON.stringify(contents) };
  const created = new Worker(scriptUrl(url), options);
  created.onerror = () => document.body.append('The playground could not be started. Reload the page.');
  return created;
}

async function ingest(
  { repository, events }: Sample,
  start: number,
  end: number,
  now: number,
): Promise<void> {
  const groups = events(start, end, now).filter(({ events: { length } }) => length > 0);
  if (groups.length === 0) return;
  const body = JSON.stringify(groups);
  await send(`${base}api/v1/repositories/${repository}/ingest`, { method: 'POST', body });
}

/** Loads the sample in the address first, then the others, then what happens from now on. */
async function load(): Promise<void> {
  const now = Date.now();
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (location.hash.length < 2) history.replaceState(null, '', `#repo=${SAMPLES[0]!.repository}`);
  const data = parameters.get('data');
  const name = parameters.get('repo') ?? SAMPLES[0]!.repository;
  const first = SAMPLES.find(({ repository }) => repository === name);
  if (data !== null) {
    // The first lines have this name, which were the second or third ones for the sender.
    if (first === undefined) parameters.set('repo', PASTED);
    history.replaceState(null, '', `#${parameters}`);
    // The page reports what is missing if the address is damaged.
    await openLines(send, base, await readData(data)).catch(() => {});
  }
  if (first !== undefined) await ingest(first, now - HOUR_MS, now, now);
  void loadOthers(first, now);
}

async function loadOthers(first: Sample | undefined, now: number): Promise<void> {
  for (const sample of SAMPLES) if (sample !== first) await ingest(sample, now - HOUR_MS, now, now);
  let end = now;
  setInterval(() => {
    const start = end;
    end = Date.now();
    for (const sample of SAMPLES) void ingest(sample, start, end, now);
  }, LIVE_MS);
}

const bar = showBar(base);
globalThis.fetch = workerFetch(worker, base, load());

// Not before the first result: the files are loaded again for it.
const results = new MutationObserver(() => {
  if (document.querySelector('main .row, main table, main [role="alert"]') === null) return;
  results.disconnect();
  setTimeout(keepOffline, OFFLINE_DELAY_MS, () => {
    bar.state.textContent = 'Ready offline.';
  });
});
results.observe(document.body, { childList: true, subtree: true });
