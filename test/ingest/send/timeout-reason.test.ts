import { expect, it } from 'vitest';
import { LogTimeoutException } from '../../../src/core/errors.ts';
import { resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { classifyError } from '../../../src/ingest/send/classify-error.ts';
import { ServiceCheck } from '../../../src/ingest/send/service-check.ts';

it.each([
  [10_000, 'no response within 10000 ms (requestTimeoutMs)'],
  [341.6751708984375, 'no response within 342 ms (closeTimeoutMs)'],
])('a timeout after %d ms is reported as "%s", also for the check of the address', (timeoutMs, reason) => {
  const options = resolveIngesterOptions({ baseUrl: 'http://127.0.0.1:9', ingestToken: 'token' });
  const error = new LogTimeoutException('GET /api/v1/status took longer', timeoutMs);
  expect(classifyError(error, options)).toMatchObject({ kind: 'retryable', reason, dependsOn: 'size' });
  expect(new ServiceCheck(options).failureOfError(error)).toMatchObject({ kind: 'retryable', reason });
});
