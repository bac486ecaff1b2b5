import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { IngestLineStream } from '../../src/ingest/ingest-line-stream.ts';
import type { Ingester } from '../../src/ingest/ingester.ts';
import { createRecord } from '../../src/ingest/record/record.ts';

/** 40 KB: more than what a writer that has caught up may have written. */
const CHUNK = `${'x'.repeat(999)}\n`.repeat(40);

/** An ingester whose service is slow, or not, as the test says; it drains as soon as somebody waits. */
class SlowIngester {
  readonly overflow = 'dropOldest';
  isCongested = false;
  /** How long its writer was ready to wait, each time. */
  readonly waits: number[] = [];
  onLastCall: (() => void) | undefined;

  addRecord(): boolean {
    return true;
  }

  together(add: () => void): void {
    add();
  }

  async holdBack(maxMs: number): Promise<void> {
    this.waits.push(maxMs);
    await turn();
    this.isCongested = false;
  }
}

it('has patience again for a writer that has caught up, however much it writes at a time', async () => {
  const ingester = new SlowIngester();
  const stream = new IngestLineStream(ingester as unknown as Ingester, () => createRecord('{}', '{}'), {
    holdsBack: {},
  });
  const write = (): Promise<void> => new Promise((resolve) => stream.write(CHUNK, () => resolve()));
  for (let round = 1; round <= 3; round++) {
    ingester.isCongested = true;
    stream.hurry();
    await write();
    expect(ingester.waits).toHaveLength(round);
  }
});
