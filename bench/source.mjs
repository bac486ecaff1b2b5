// Imports TypeScript of the repository, which Node 20 can't load.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @param {URL} file of the bench, or of src/, which it bundles */
export async function importSource(file) {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
  const outfile = join(folder, 'bundle.mjs');
  try {
    await build({
      entryPoints: [fileURLToPath(file)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'error',
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
      },
    });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
