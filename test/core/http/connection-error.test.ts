import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sourceOf } from '../../../src/core/http/address-source.ts';
import { resolveBaseUrl } from '../../../src/core/http/base-url.ts';
import { messageRedactor } from '../../../src/core/http/message-redactor.ts';
import { requestException } from '../../../src/core/http/node/request-exception.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { startService } from '../../helpers/http-service.ts';
import { writeStateFile } from '../../helpers/state-file.ts';
import { CA, SELF_SIGNED } from '../../helpers/tls.ts';

const REQUEST = {
  method: 'GET',
  path: '/',
  host: 'logs.example',
  redactor: messageRedactor([]),
  source: 'baseUrl',
  proxy: undefined,
  acceptsCa: true,
};

it.each([
  ['CERT_HAS_EXPIRED', 'its certificate has expired. Renew it, or check the clock of this computer'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet. Check the clock of this computer'],
])('the error of a connection that failed with %s names the cause and no CA', (code, cause) => {
  const error = requestException(Object.assign(new Error('failed'), { code }), REQUEST);
  expect(error.message).toBe(`The TLS connection to logs.example failed: ${cause} (${code}).`);
});

it.each([
  [
    'ECONNREFUSED',
    'Nothing is listening at logs.example (ECONNREFUSED). Check that the service is running and that baseUrl is correct.',
  ],
  ['ENOTFOUND', 'The host name logs.example could not be resolved (ENOTFOUND). Check baseUrl.'],
  ['EAI_AGAIN', 'The host name logs.example could not be resolved (EAI_AGAIN). Check baseUrl.'],
  ['ECONNRESET', 'logs.example closed the connection before responding (ECONNRESET).'],
  ['EPIPE', 'logs.example closed the connection before responding (EPIPE).'],
  ['UND_ERR_SOCKET', 'logs.example closed the connection before responding (UND_ERR_SOCKET).'],
  [
    'ERR_INVALID_PROTOCOL',
    'The option "agent" does not fit baseUrl: for http:// it must be an http.Agent, for https:// an https.Agent (ERR_INVALID_PROTOCOL).',
  ],
  ['EHOSTUNREACH', 'logs.example could not be reached (EHOSTUNREACH).'],
  [undefined, 'logs.example could not be reached: failed'],
])('the error of a connection that failed with %s names what happened', (code, message) => {
  const error = requestException(Object.assign(new Error('failed'), { code }), REQUEST);
  expect(error.message).toBe(message);
});

it('the error of a connection to the default address names the local server that runs elsewhere', async () => {
  const stateHome = mkdtempSync(join(tmpdir(), 'logclient-state-'));
  onTestFinished(() => rmSync(stateHome, { recursive: true, force: true }));
  await writeStateFile(stateHome, { url: 'http://127.0.0.1:5001' });
  for (const name of ['LOGSCALE_URL', 'LOGSCALE_BASE_URL', 'HUMIO_ADDRESS', 'HUMIO_BASE_URL', 'CI'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('XDG_STATE_HOME', stateHome);
  vi.stubEnv('LOGCLIENT_DISCOVERY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const source = sourceOf(resolveBaseUrl('LogClient', undefined));
  const refused = (): string =>
    requestException(Object.assign(new Error('failed'), { code: 'ECONNREFUSED' }), { ...REQUEST, source })
      .message;
  const server = 'is correct. The local server at http://127.0.0.1:5001 is not used because';
  expect(refused()).toContain(`baseUrl (not set) ${server} a token is set.`);
  vi.stubEnv('LOGSCALE_INGEST_TOKEN', 'a');
  expect(refused()).toContain(`baseUrl (not set) ${server} LOGSCALE_INGEST_TOKEN is set.`);
});

it('the error of a connection that the permission model denies names the flag that allows it', () => {
  const denied = Object.assign(new Error('Access to this API has been restricted.'), {
    code: 'ERR_ACCESS_DENIED',
  });
  expect(requestException(denied, REQUEST).message).toBe(
    'The permission model of Node.js denied the connection to logs.example (ERR_ACCESS_DENIED). Add the flag --allow-net to the command.',
  );
});

it('the error of a connection to another host name names the cause and no CA', async () => {
  const server = createServer(SELF_SIGNED, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const call = new WebCaller(`https://127.0.0.2:${port}`, { ca: CA }).callPath('GET', '');
  await expect(call).rejects.toThrow(
    /certificate is for another host name\. Use a name in baseUrl that the certificate contains \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
  );
});

it('the error of a connection to a port without TLS names the cause and no CA', async () => {
  const { port } = await startService((_, response) => response.end());
  const call = new WebCaller(`https://127.0.0.1:${port}`).callPath('GET', '');
  await expect(call).rejects.toThrow(
    /this port does not speak TLS\. Check the port, or use http:\/\/ in baseUrl \([A-Z_]+\)\.$/,
  );
});
