import { expect, it } from 'vitest';
import { type LogRecord, toRecord } from '../../src/page/records/log-record.ts';
import { TailBuffer } from '../../src/page/tail/tail-buffer.ts';

it('A paused tail keeps the newest records by their own time, even if older ones arrive last', () => {
  let shown: readonly LogRecord[] = [];
  const tail = new TailBuffer({
    maxRecords: 10,
    intervalMs: 1,
    show: (records) => {
      shown = records;
    },
    onWaiting: () => {},
  });
  tail.hold(true);
  for (let time = 100; time > 0; time--) tail.add([toRecord({ '@id': `${time}`, '@timestamp': time })]);
  tail.hold(false);
  expect(shown.map(({ time }) => time)).toEqual(Array.from({ length: 10 }, (_, n) => 91 + n));
});
