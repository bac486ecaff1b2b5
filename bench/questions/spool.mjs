// What does it cost to keep records on disk until they are delivered?
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareOptions } from '../option-question.mjs';

export const spool = {
  name: 'spool',
  title: 'with a spool against without',
  async run(settings) {
    const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
    let runs = 0;
    try {
      return await compareOptions(settings, [
        { text: 'no spool', options: () => ({}) },
        { text: 'spool', options: () => ({ spool: { directory: join(folder, String(runs++)) } }) },
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
