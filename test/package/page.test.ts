import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from './fresh-project.ts';

const FOLDER = join(ROOT, 'dist/page');
const MAX_GZIP_BYTES = 205_000;

describe('Packaged web page', () => {
  it('loads one script and one style sheet, compressed, of at most 245 kB together, and others for its first chart and query', () => {
    const files = readdirSync(FOLDER).filter((name) => /\.(?:js|css)/.test(name));
    expect(files.sort()).toEqual([
      'charts.js.gz',
      'checks.js.gz',
      'page.css.gz',
      'page.js.gz',
      'play.css.gz',
      'play.js.gz',
      'server.js.gz',
      'service-worker.js.gz',
    ]);
    const sizes = ['page.js.gz', 'page.css.gz'].map((name) => statSync(join(FOLDER, name)).size);
    expect(sizes[0]! + sizes[1]!).toBeLessThan(MAX_GZIP_BYTES);
  });

  it('loads no external resources and has no inline code', () => {
    const html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
    expect(html).not.toMatch(/https?:|<style|style=|<script>|onload/);
    const css = gunzipSync(readFileSync(join(FOLDER, 'page.css.gz'))).toString('utf8');
    expect([...css.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url)).toEqual(['icon.svg']);
  });

  it('lists the licenses of its bundled packages', () => {
    const licenses = readFileSync(join(FOLDER, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['preact', 'uplot', '@codemirror/view', '@tanstack/virtual-core']) {
      expect(licenses).toContain(`Name: ${name}\n`);
    }
  });
});
