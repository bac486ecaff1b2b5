// Writes the stored events to a file of JSON lines, for other programs to read.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { storedAt, storedEvent } from './record.mjs';

const PER_WRITE = 5_000;

export async function writeEvents(path, events, endsAt) {
  const file = createWriteStream(path);
  for (let from = 0; from < events; from += PER_WRITE) {
    let text = '';
    for (let n = from; n < Math.min(events, from + PER_WRITE); n++) {
      text += `${JSON.stringify({ at: storedAt(n, events, endsAt), ...storedEvent(n) })}\n`;
    }
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
