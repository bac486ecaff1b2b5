import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JSON_ARRAY, NDJSON, TEXT } from '../../src/server/queries/row-format.ts';
import { RowWriter } from '../../src/server/queries/row-writer.ts';
import { cases } from '../helpers/laws.ts';

const ROWS = Array.from({ length: 12 }, (_, n) => ({ n: String(n) }));

it('RowWriter writes the same text regardless of when take() is called', () => {
  const format = fc.constantFrom(JSON_ARRAY, NDJSON, TEXT);
  fc.assert(
    fc.property(format, fc.uniqueArray(fc.nat(ROWS.length)), (format, taken) => {
      const writer = new RowWriter(format);
      let text = '';
      for (const [index, row] of ROWS.entries()) {
        if (taken.includes(index)) text += writer.take();
        writer.write(row);
      }
      writer.end();

      const once = new RowWriter(format);
      for (const row of ROWS) once.write(row);
      once.end();
      expect(text + writer.take()).toBe(once.take());
    }),
    cases(),
  );
});
