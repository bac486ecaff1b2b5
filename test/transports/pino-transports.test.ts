import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { isMarked } from '../../src/ingest/report/transport-mark.ts';
import { trackTransports } from '../../transports/capture/auto/pino-transports.ts';

const Tracked = trackTransports(class {} as new (options: object) => object);
const isRecognized = (options: object): boolean => isMarked(new Tracked(options));

it.each([
  '/app/node_modules/logclient/dist/pino.js',
  '/app/node_modules/.pnpm/logclient@1.0.0/node_modules/logclient/dist/pino.cjs',
  'C:\\app\\node_modules\\logclient\\dist\\pino.js',
])("logclient/auto recognizes another copy's transport, so that it captures no record twice: %s", (file) => {
  expect(isRecognized({ filename: file })).toBe(true);
  expect(isRecognized({ filename: 'worker.js', workerData: { targets: [{ target: file }] } })).toBe(true);
  expect(isRecognized({ filename: 'worker.js', workerData: { pipelines: [[{ target: file }]] } })).toBe(true);
});

it('logclient/auto recognizes a transport by its address', () => {
  expect(isRecognized({ filename: pathToFileURL('/app/node_modules/logclient/dist/pino.js').href })).toBe(
    true,
  );
});

it.each([
  '/app/node_modules/pino/file.js',
  '/app/logclient/dist/pino.js',
  '/app/node_modules/logclient/dist/pinojs',
  7,
])('logclient/auto recognizes no other transport: %s', (target) => {
  expect(isRecognized({ filename: 'worker.js', workerData: { targets: [{ target }] } })).toBe(false);
});
