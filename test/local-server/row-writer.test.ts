import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JSON_ARRAY, NDJSON, TEXT } from '../../src/local-server/queries/row-format.ts';
import { RowWriter } from '../../src/local-server/queries/row-writer.ts';

const ROWS = Array.from({ length: 12 }, (_, n) => ({ n: String(n) }));

it('rows that begin again from the first one make the same text, wherever they were stopped and taken', () => {
  const format = fc.constantFrom(JSON_ARRAY, NDJSON, TEXT);
  // How many rows come before they begin again, and after which of them what is there is taken.
  const attempts = fc.array(
    fc.record({ rows: fc.nat({ max: ROWS.length }), taken: fc.array(fc.nat(ROWS.length)) }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(format, attempts, (format, attempts) => {
      const writer = new RowWriter(format);
      let text = '';
      for (const { rows, taken } of attempts) {
        for (const [index, row] of ROWS.slice(0, rows).entries()) {
          if (taken.includes(index)) text += writer.take();
          writer.write(row);
        }
        writer.beginAgain();
      }
      for (const row of ROWS) writer.write(row);
      writer.end();

      const once = new RowWriter(format);
      for (const row of ROWS) once.write(row);
      once.end();
      expect(text + writer.take()).toBe(once.take());
    }),
  );
});
