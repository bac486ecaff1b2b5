import { join } from 'node:path';
import { expect } from 'vitest';
import { recordEntry } from './switch.mjs';

// Says which test file reaches a mutation, in this process and in those that it starts.
const folder = process.env.MUTATION_RECORDS;
if (folder !== undefined) {
  const name = Buffer.from(expect.getState().testPath).toString('base64url');
  const record = join(folder, name);
  process.env.PATH = `${recordEntry(record)}:${process.env.PATH.replace(/\/mutant-record\/\w+:/, '')}`;
  if (globalThis.mutation !== undefined) globalThis.mutation.record = record;
}
