import { expect, test } from 'vitest';
import { SIGNATURES } from '../../src/language/functions/signatures.ts';
import { functionSignatures, signatureSource } from './function-signatures.ts';

const FILE = new URL('../../src/language/functions/signatures.ts', import.meta.url).pathname;

test('the table of signatures has every function of the engine', async () => {
  await expect(signatureSource()).toMatchFileSnapshot(FILE);
  expect(SIGNATURES).toEqual(functionSignatures());
});
