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

/** Replaced with a hash of the files, so that each version has a cache of its own. */
const CACHE = 'logclient-play-VERSION';
const FILES = [
  './',
  'page/play.js',
  'page/page.js',
  'page/charts.js',
  'page/server.js',
  'page/page.css',
  'page/play.css',
  'page/icon.svg',
];

scope.addEventListener('install', (event) => {
  const keep = async (): Promise<void> => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
    await scope.skipWaiting();
  };
  event.waitUntil(keep());
});

scope.addEventListener('activate', (event) => {
  const forget = async (): Promise<void> => {
    const names = (await caches.keys()).filter(
      (name) => name.startsWith('logclient-play-') && name !== CACHE,
    );
    await Promise.all(names.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  event.waitUntil(forget());
});

scope.addEventListener('fetch', (event) => {
  const answer = async (): Promise<Response> =>
    (await caches.match(event.request, { cacheName: CACHE, ignoreSearch: true })) ?? fetch(event.request);
  event.respondWith(answer());
});
