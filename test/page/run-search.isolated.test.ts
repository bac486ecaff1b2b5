import type { Signal } from '@preact/signals';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';

/** The parts of a browser that a search needs. */
function stubBrowser(address: URL): void {
  const elements = { querySelector: () => null, getElementById: () => null };
  vi.stubGlobal('document', { ...elements, hidden: false });
  vi.stubGlobal('location', address);
  vi.stubGlobal('history', { replaceState: () => {}, pushState: () => {} });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('addEventListener', () => {});
}

/** Modules of the page, whose types need those of a browser. */
interface PageState {
  readonly update: (change: Readonly<Record<string, unknown>>) => void;
}

interface Results {
  readonly hints: Signal<readonly string[]>;
  readonly table: Signal<{ readonly rows: readonly Readonly<Record<string, unknown>>[] } | undefined>;
}

it.each([true, false])(
  'a search by a misspelled field says so until another query finds groups; live: %s',
  async (isLive) => {
    vi.resetModules();
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const response = await fetch(`${server.url}/api/v1/ingest/humio-structured`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ events: [{ timestamp: Date.now(), attributes: { level: 'info' } }] }]),
    });
    expect(response.status).toBe(200);
    stubBrowser(new URL(`#token=${server.userToken}`, server.url));
    const folder = '../../src/page';
    const { update } = await vi.importActual<PageState>(`${folder}/state/page-state.ts`);
    const { hints, table } = await vi.importActual<Results>(`${folder}/state/results.ts`);
    const { startSearching } = await vi.importActual<{ startSearching: () => void }>(
      `${folder}/search/run-search.ts`,
    );
    update({ repository: server.repository, query: 'groupBy(levl)', isLive });
    startSearching();
    onTestFinished(() => update({ repository: '', isLive: false, query: 'false' }));
    await expect
      .poll(() => hints.value)
      .toEqual(['No recent event has the field "levl". Did you mean "level"?']);
    update({ query: 'groupBy(level)' });
    await expect.poll(() => table.value?.rows[0]?.level).toBe('info');
    expect(hints.value).toEqual([]);
  },
);
