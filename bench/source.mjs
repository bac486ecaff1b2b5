// Imports the repository's TypeScript, which Node 20 can't load.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

/**
 * @param {URL} file TypeScript in bench/ or src/, bundled with its imports
 * @param {import('rolldown').Plugin[]} [plugins]
 */
export async function importSource(file, plugins = []) {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
  const bundle = join(folder, 'bundle.mjs');
  try {
    await build({
      input: fileURLToPath(file),
      platform: 'node',
      plugins,
      output: { file: bundle, format: 'esm', codeSplitting: false },
      logLevel: 'silent',
    });
    return await import(pathToFileURL(bundle));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
