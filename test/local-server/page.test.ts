import { describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../src/local-server/index.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml' } };

async function startServer() {
  const server = await startLocalServer({ listen: false });
  onTestFinished(() => server.close());
  return server;
}

describe('GET /', () => {
  it('returns the web page to browsers, without a token in it', async () => {
    const server = await startServer();
    const response = await server.fetch(`${server.url}/`, BROWSER);
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('src="page/page.js"');
    for (const token of [server.userToken, server.ingestToken]) expect(html).not.toContain(token);
  });

  it('returns plain text to other clients', async () => {
    const server = await startServer();
    const response = await server.fetch(`${server.url}/`);
    expect(await response.text()).toMatch(/^This is the local server of logclient/);
    expect(response.headers.get('vary')).toBe('accept');
  });
});

describe('Files of the web page', () => {
  it.each(['', 'page/page.js', 'page/page.css', 'page/icon.svg'])(
    'permit only scripts, styles and requests of the same origin: "/%s"',
    async (path) => {
      const server = await startServer();
      const response = await server.fetch(`${server.url}/${path}`, BROWSER);
      expect(response.status).toBe(200);
      const policy = response.headers.get('content-security-policy');
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('are sent again only if their ETag does not match', async () => {
    const server = await startServer();
    const first = await server.fetch(`${server.url}/page/page.js`);
    const etag = first.headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    const second = await server.fetch(`${server.url}/page/page.js`, { headers });
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect([second.status, await second.text()]).toEqual([304, '']);
    const other = await server.fetch(`${server.url}/page/page.js`, { headers: { 'if-none-match': '"old"' } });
    expect([other.status, await other.text()]).toEqual([200, await first.text()]);
  });
});
