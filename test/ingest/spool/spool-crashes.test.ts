import { expect, it } from 'vitest';
import { runSpool } from '../../../bench/simulation/spool-run.ts';

it('spools lose no record and repeat none, whenever processes are killed, the power fails or the disk fails', async () => {
  const failures: string[] = [];
  for (let seed = 1; seed <= 100; seed++) {
    await runSpool(seed).catch(({ message }: Error) => failures.push(message));
  }
  expect(failures).toEqual([]);
});
