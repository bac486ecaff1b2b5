import { expect, it } from 'vitest';
import { resolveFalconAddress } from '../../../src/core/http/falcon/client-credentials.ts';

it('an address of Falcon that is not a URL is refused with the name of its option', () => {
  expect(() => resolveFalconAddress('LogClient', { baseUrl: 'http://' })).toThrow(/^LogClient: "baseUrl"/);
});
