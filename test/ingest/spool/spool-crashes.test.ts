import { expect, it } from 'vitest';
import { runSpool } from '../../../bench/simulation/spool-run.ts';
import { cases } from '../../helpers/laws.ts';

it('spools lose no record and repeat none, whenever processes are killed, the power fails or the disk fails', async () => {
  const failures: string[] = [];
  const { numRuns, seed: first } = cases(25);
  for (let seed = first; seed < first + numRuns; seed++) {
    await runSpool(seed).catch(({ message }: Error) => failures.push(message));
  }
  expect(failures).toEqual([]);
});
