import { createHash } from 'node:crypto';
import { readPageFile } from './page-files.ts';

/** The files that the page of the playground loads from its folder `page`. */
const LOADED = [
  ...['play.js', 'page.js', 'charts.js', 'checks.js', 'server.js'],
  ...['page.css', 'play.css', 'icon.svg'],
];

/**
 * The static files of the playground, by their path in its folder.
 *
 * @throws Error if they were not installed with the package
 */
export function readPlayFiles(): ReadonlyMap<string, Buffer> {
  const files = new Map([['index.html', readPageFile('play.html')]]);
  for (const name of LOADED) files.set(`page/${name}`, readPageFile(name));
  const hash = createHash('sha256');
  for (const content of files.values()) hash.update(content);
  const kept = JSON.stringify(['./', ...LOADED.map((name) => `page/${name}`)]);
  const firstLine = `const FILES = ${kept}; // ${hash.digest('hex')}\n`;
  files.set('service-worker.js', Buffer.concat([Buffer.from(firstLine), readPageFile('service-worker.js')]));
  return files;
}
