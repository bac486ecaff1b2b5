import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml' } };

async function startServer() {
  const server = await startLocalServer({ listen: false });
  onTestFinished(() => server.close());
  return server;
}

/** A request whose response is not decompressed. */
function raw(url: string, headers: Record<string, string>, method: string) {
  return new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    request(url, { headers, method }, async (response) => {
      resolve({ headers: response.headers, body: await buffer(response) });
    })
      .once('error', reject)
      .end();
  });
}

describe('GET /', () => {
  it('returns the web page to browsers, without a token in it', async () => {
    const server = await startServer();
    const response = await server.fetch(`${server.url}/`, BROWSER);
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toMatch(/src="page\/page\.js\?v=[\w-]{22}"/);
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
  it.each(['', 'page/page.js', 'page/charts.js', 'page/checks.js', 'page/page.css', 'page/icon.svg'])(
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

  it('are kept by browsers under the version in the page, and revalidated under any other address', async () => {
    const server = await startServer();
    const html = await (await server.fetch(`${server.url}/`, BROWSER)).text();
    const versioned = [...html.matchAll(/"(page\/[^"]*\?v=[^"]*)"/g)].map(([, path]) => path!);
    expect(versioned.map((path) => path.split('?')[0]).sort()).toEqual(['page/page.css', 'page/page.js']);
    for (const path of versioned) {
      const response = await server.fetch(`${server.url}/${path}`);
      expect(response.headers.get('cache-control')).toBe('max-age=31536000, immutable');
    }
    for (const path of ['', 'page/page.js', 'page/page.js?v=old', 'page/page.css?v=', 'page/icon.svg?v=']) {
      const response = await server.fetch(`${server.url}/${path}`, BROWSER);
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it.each(['', 'page/page.js', 'page/charts.js', 'page/checks.js', 'page/page.css', 'page/icon.svg'])(
    'are sent again only if their ETag does not match: "/%s"',
    async (path) => {
      const server = await startServer();
      const get = (ifNoneMatch: string) =>
        server.fetch(`${server.url}/${path}`, {
          headers: { ...BROWSER.headers, 'if-none-match': ifNoneMatch },
        });
      const first = await get('"old"');
      const etag = first.headers.get('etag')!;
      const content = await first.text();
      expect([first.status, content.length > 0]).toEqual([200, true]);
      for (const known of [etag, `W/${etag}`, `"old", ${etag}`, '*']) {
        const second = await get(known);
        expect([second.status, second.headers.get('etag'), await second.text()]).toEqual([304, etag, '']);
      }
      const other = await get('"old", W/"older"');
      expect([other.status, await other.text()]).toEqual([200, content]);
    },
  );

  it.each(['page/page.js', 'page/charts.js', 'page/checks.js', 'page/page.css'])(
    'are sent compressed to clients that accept gzip, and else as they are: /%s',
    async (path) => {
      const server = await startLocalServer();
      onTestFinished(() => server.close());
      const get = async (encoding: string, method = 'GET') => {
        const { headers, body } = await raw(`${server.url}/${path}`, { 'accept-encoding': encoding }, method);
        expect(headers.vary).toBe('accept-encoding');
        return { headers, body };
      };
      const plain = await get('gzip;q=0, br');
      const zipped = await get('gzip, deflate, br');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.headers['content-length']).toBe(String(plain.body.length));
      expect(zipped.headers['content-encoding']).toBe('gzip');
      expect(zipped.headers['content-length']).toBe(String(zipped.body.length));
      expect(zipped.body.length).toBeLessThan(plain.body.length / 2);
      expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
      expect(zipped.headers.etag).not.toBe(plain.headers.etag);
      for (const [encoding, { headers }] of [['gzip', zipped] as const, ['identity', plain] as const]) {
        const head = await get(encoding, 'HEAD');
        expect(head.body.length).toBe(0);
        expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' });
      }
    },
  );
});
