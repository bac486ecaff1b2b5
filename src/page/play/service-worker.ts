/** Keeps the files of the playground, so that it needs no network once it was opened. */

interface Scope {
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: string, listener: (event: ScopeEvent) => void): void;
  skipWaiting(): Promise<void>;
}

interface ScopeEvent {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const scope = globalThis as unknown as Scope;

/** Declared by the first line of this script as it is served, beside a hash of the files, which changes with them. */
declare const FILES: readonly string[];

const CACHE = 'logclient-play';

scope.addEventListener('install', (event) => {
  const keep = async (): Promise<void> => {
    const cache = await caches.open(CACHE);
    // Replaces the files of the last version all at once.
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
    await scope.skipWaiting();
  };
  event.waitUntil(keep());
});

scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('fetch', (event) => {
  const answer = async (): Promise<Response> =>
    (await caches.match(event.request, { cacheName: CACHE, ignoreSearch: true })) ?? fetch(event.request);
  event.respondWith(answer());
});
