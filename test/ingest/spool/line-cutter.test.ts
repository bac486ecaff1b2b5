import { expect, it } from 'vitest';
import { LineCutter } from '../../../src/ingest/spool/line-cutter.ts';

it('LineCutter releases a buffer that had to grow for a long line', () => {
  const cutter = new LineCutter();
  const initialBytes = cutter.room().length;
  for (let n = 0; n < 3; n++) cutter.filled(cutter.room().fill('x').length);
  expect(cutter.peek()).toBe('incomplete');
  expect(cutter.readOffset).toBe(4 * initialBytes);
  cutter.moveTo(7);
  expect(cutter.room()).toHaveLength(initialBytes);
  expect(cutter.readOffset).toBe(7);
});
