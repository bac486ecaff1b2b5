import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from './fresh-project.ts';

const FOLDER = join(ROOT, 'dist/page');
const MAX_GZIP_BYTES = 250_000;

describe('Packaged web page', () => {
  it('has one script and one style sheet of at most 250 KB together after gzip', () => {
    const files = readdirSync(FOLDER);
    expect(files.filter((name) => /\.(?:js|css)$/.test(name)).sort()).toEqual(['page.css', 'page.js']);
    const sizes = ['page.js', 'page.css'].map((name) => gzipSync(readFileSync(join(FOLDER, name))).length);
    expect(sizes[0]! + sizes[1]!).toBeLessThan(MAX_GZIP_BYTES);
  });

  it('loads no external resources and has no inline code', () => {
    const html = readFileSync(join(FOLDER, 'index.html'), 'utf8');
    expect(html).not.toMatch(/https?:|<style|style=|<script>|onload/);
    const css = readFileSync(join(FOLDER, 'page.css'), 'utf8');
    expect([...css.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url)).toEqual(['icon.svg']);
  });

  it('lists the licenses of its bundled packages', () => {
    const licenses = readFileSync(join(FOLDER, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['preact', 'uplot', '@codemirror/view', '@tanstack/virtual-core']) {
      expect(licenses).toContain(`Name: ${name}\n`);
    }
  });
});
