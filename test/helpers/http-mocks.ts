import { expect } from 'vitest';

/** The arguments of `test/fixtures/http-mock.mjs`. */
export const HTTP_MOCKS = ['nock', 'msw', 'MockAgent'].flatMap((mock) =>
  ['before', 'after'].map((order) => ({ mock, order })),
);

/** The output of the fixture if all requests have reached the mock. */
export function mockedOutput(mock: string): object {
  const seen = (text: string) => (mock === 'MockAgent' ? expect.toBeOneOf([text, null]) : text);
  return {
    status: 'OK',
    delivered: [1, 1],
    requests: [
      ['GET', '/api/v1/status', null],
      ['POST', '/api/v1/ingest/humio-structured', seen('by pino')],
      ['POST', '/api/v1/ingest/humio-structured', seen('by winston')],
    ],
  };
}
