import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workerFile } from '../../../src/ingest/worker/worker-thread.ts';

const here = import.meta.url;

describe('workerFile()', () => {
  it('returns the URL of a file next to the calling module', () => {
    expect(workerFile('worker-file.test.ts', here).href).toBe(pathToFileURL(import.meta.filename).href);
  });

  it.each([
    ['is missing', here],
    ['has been lost by a bundler that knows no place', undefined],
    ['is not on a disk', 'https://cdn.example.org/app.js'],
  ])('throws if the file %s', (_, moduleUrl) => {
    expect(() => workerFile('pino-worker.js', moduleUrl)).toThrow('the file pino-worker.js is missing');
  });
});
