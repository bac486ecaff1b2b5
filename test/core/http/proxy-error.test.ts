import { expect, it } from 'vitest';
import { ProxyError, proxySentence } from '../../../src/core/http/proxy-error.ts';

const PROXY = { url: new URL('http://proxy.example:3128'), origin: 'HTTP_PROXY' } as ProxyError['proxy'];

it.each([
  [{ statusCode: 403 }, undefined, /did not connect to logs\.example \(status 403\)/],
  [
    { cause: new Error('x') },
    'ECONNREFUSED',
    /proxy\.example:3128 failed \(ECONNREFUSED\)\. Check HTTP_PROXY\./,
  ],
  [{}, undefined, /proxy\.example:3128 failed\. Check HTTP_PROXY\./],
])('the failure of a proxy with %j and the code %s has a sentence', (failure, code, sentence) => {
  expect(
    proxySentence(new ProxyError(PROXY, failure), { host: 'logs.example', source: 'baseUrl' }, code),
  ).toMatch(sentence);
});
