import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { FAILED_BEFORE, recordEntry } from './switch.mjs';

const { MUTATION_MARK: mark, MUTATION_RECORDS: folder } = process.env;
delete process.env.MUTATION_MARK;

if (folder === undefined) {
  // One failure is enough.
  if (existsSync(mark)) throw new Error(FAILED_BEFORE);
  beforeEach(({ skip }) => skip(existsSync(mark)));
} else {
  // Says which test file reaches a mutation, in this process and in those that it starts.
  const name = Buffer.from(expect.getState().testPath).toString('base64url');
  const record = join(folder, name);
  process.env.PATH = `${recordEntry(record)}:${process.env.PATH.replace(/\/mutant-record\/\w+:/, '')}`;
  if (globalThis.mutation !== undefined) globalThis.mutation.record = record;
}
