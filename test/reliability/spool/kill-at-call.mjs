// Preload: kills the process at one of its calls that change a spool. Calls that only read leave it as it is.

import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { directory, killAt } = JSON.parse(process.env.SETTINGS);
const say = (line) => writeSync(1, `${line}\n`);

/** Files of the spool. */
const descriptors = new Set();
let calls = 0;

function killHere(name) {
  if (++calls !== killAt) return;
  say(`killed ${name}`);
  process.kill(process.pid, 'SIGKILL');
}

function patch(name, isInSpool, before = () => {}) {
  const original = fs[name];
  fs[name] = (...values) => {
    if (!isInSpool(values[0])) return original(...values);
    before(original, values);
    const result = original(...values);
    if (name === 'openSync') descriptors.add(result);
    if (name === 'closeSync') descriptors.delete(values[0]);
    killHere(name);
    return result;
  };
}

const isPath = (path) => String(path).startsWith(directory);
const isDescriptor = (descriptor) => descriptors.has(descriptor);

for (const name of [
  'openSync',
  'mkdirSync',
  'mkdtempSync',
  'renameSync',
  'unlinkSync',
  'rmSync',
  'rmdirSync',
  'symlinkSync',
])
  patch(name, isPath);
for (const name of ['ftruncateSync', 'fdatasyncSync', 'fsyncSync', 'closeSync']) patch(name, isDescriptor);
// A write may also stop in the middle.
patch('writeSync', isDescriptor, (write, [descriptor, data, ...place]) => {
  if (++calls !== killAt) return;
  const bytes = Buffer.from(data);
  const half = Math.floor(bytes.length / 2);
  if (typeof data === 'string') write(descriptor, bytes, 0, half, place[0]);
  else write(descriptor, bytes, place[0] ?? 0, Math.floor((place[1] ?? bytes.length) / 2));
  say('killed half of writeSync');
  process.kill(process.pid, 'SIGKILL');
});
syncBuiltinESMExports();

process.on('exit', () => say(`calls ${calls}`));
