import { Agent } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { resolveConnectionOptions } from '../../../src/core/http/node/connection-options.ts';
import { CA } from '../../helpers/tls.ts';

afterEach(() => vi.unstubAllEnvs());

const resolve = (options: object) => resolveConnectionOptions('Thing', options);

describe('resolveConnectionOptions()', () => {
  it('reads the base URL from the option, then LOGSCALE_URL, then HUMIO_ADDRESS, then the default', () => {
    vi.stubEnv('LOGSCALE_URL', '');
    vi.stubEnv('HUMIO_ADDRESS', '');
    expect(resolve({}).baseUrl.href).toBe('http://localhost:3000/');
    vi.stubEnv('HUMIO_ADDRESS', 'https://humio.example');
    expect(resolve({}).baseUrl.href).toBe('https://humio.example/');
    vi.stubEnv('LOGSCALE_URL', 'https://logscale.example');
    expect(resolve({}).baseUrl.href).toBe('https://logscale.example/');
    expect(resolve({ baseUrl: undefined }).baseUrl.href).toBe('https://logscale.example/');
    expect(resolve({ baseUrl: new URL('http://here/prefix') }).baseUrl.href).toBe('http://here/prefix/');
  });

  it.each([
    ['not a url', 'is not a URL'],
    ['cloud.example.com', 'does not start with http:// or https://. Add https://, or http://'],
    ['localhost:3000', 'does not start with http:// or https://. Add https://, or http://'],
    ['me:hunter2@10.0.0.1/prefix', 'does not start with http:// or https://. Add https://, or http://'],
    ['"https://me:hunter2@host"', 'is in quotes. Remove them'],
    [{}, 'is not a URL. Pass a string: workers receive no URL objects. Use an address'],
    ['//host', 'does not start with http:// or https://. Add https://, or http://'],
    ['', 'is not a URL'],
    [null, 'is not a URL'],
    [Object.create(null), 'is not a URL'],
    ['https:/', 'is not a URL'],
    ['ftp://host', 'must start with http:// or https:// (got ftp://)'],
    ['https://host/?a=1', 'has a query string'],
    ['https://host/#a', 'has a fragment'],
  ])('rejects the base URL %j', (baseUrl, reason) => {
    expect(() => resolve({ baseUrl })).toThrow(LogOptionsException);
    expect(() => resolve({ baseUrl })).toThrow(`Thing: "baseUrl" ${reason}`);
  });

  it.each(['https://me:hunter2hunter2@host', 'https://hunter2hunter2@host', 'https://:hunter2hunter2@host'])(
    'rejects credentials in the base URL without repeating them: %s',
    (baseUrl) => {
      const attempt = (): unknown => resolve({ baseUrl });
      expect(attempt).toThrow('contains credentials');
      expect(attempt).not.toThrow('hunter2');
    },
  );

  it('names the variable that contains an invalid base URL', () => {
    vi.stubEnv('LOGSCALE_URL', 'cloud.example.com');
    expect(() => resolve({})).toThrow(
      'Thing: LOGSCALE_URL does not start with http:// or https://. Add https://',
    );
    vi.stubEnv('LOGSCALE_URL', ' ');
    vi.stubEnv('HUMIO_ADDRESS', 'not a url');
    expect(() => resolve({})).toThrow('Thing: HUMIO_ADDRESS is not a URL');
  });

  it('rejects an agent together with a fetch', () => {
    expect(() => resolve({ agent: new Agent(), fetch })).toThrow(`"agent" and "fetch" can't be combined`);
  });

  it.each(['agent', 'fetch'] as const)('rejects "proxy" and "ca" together with "%s"', (own) => {
    const value = { agent: new Agent(), fetch }[own];
    for (const [other, given] of Object.entries({ proxy: 'http://proxy', ca: CA })) {
      expect(() => resolve({ [own]: value, [other]: given })).toThrow(
        `Thing: "${own}" and "${other}" can't be combined; pass only one.`,
      );
    }
  });

  it.each([
    ['ca.pem', '"ca" must be a certificate in PEM format'],
    [['secret-key'], '"ca[0]" must be a certificate in PEM format'],
    [[CA, CA.replace('MII', 'MIX')], '"ca[1]" must be a certificate in PEM format'],
    [[CA, `${CA}${CA.replace('MII', 'MIX')}`], '"ca[1]" must be a certificate in PEM format'],
    [Buffer.from(CA), 'got a Buffer'],
    [[], '"ca" is an empty array'],
  ])('rejects a "ca" that is not PEM, without its content: %#', (ca, message) => {
    expect(() => resolve({ ca })).toThrow(LogOptionsException);
    expect(() => resolve({ ca })).toThrow(message);
    expect(() => resolve({ ca })).not.toThrow(/secret|MI/);
  });

  it('accepts PEM certificates in one string or in an array', () => {
    for (const ca of [CA, `comment\n${CA}\n${CA}`]) expect(resolve({ ca }).ca).toEqual([ca]);
    expect(resolve({ ca: [CA, CA] }).ca).toEqual([CA, CA]);
  });

  it.each(['my shop', 'shop/1/2', 'shop\r\nx: y', '', '(shop)', 1])(
    'rejects the client name %j',
    (clientName) => {
      expect(() => resolve({ clientName })).toThrow('Thing: "clientName" must be a name without spaces');
    },
  );

  it('rejects an invalid agent', () => {
    expect(() => resolve({ agent: {} as never })).toThrow('must be a node:http or node:https agent');
  });

  it('rejects invalid headers without repeating their value', () => {
    const attempt = (): unknown => resolve({ headers: { 'X-Key': 'secret-value\r\nx: y' } });
    expect(attempt).toThrow('the value of the header "X-Key"');
    expect(attempt).not.toThrow('secret-value');
    expect(() => resolve({ headers: { 'bad name': 'x' } })).toThrow(
      '"headers": "bad name" is not a valid name',
    );
    expect(() => resolve({ headers: ['x'] })).toThrow('must be an object of strings');
  });

  it.each(['Content-Length', 'transfer-encoding', 'Expect'])('rejects the header %s', (name) => {
    expect(() => resolve({ headers: { [name]: '100-continue' } })).toThrow(
      `Thing "headers": the header "${name}" is managed by the connection`,
    );
  });

  it.each([0, -1, 1.5, '5s', 2 ** 31])('rejects the timeout %j', (timeoutMs) => {
    expect(() => resolve({ timeoutMs })).toThrow('"timeoutMs" must be a whole number');
  });

  it('accepts Infinity as the timeout', () => {
    expect(resolve({ timeoutMs: Number.POSITIVE_INFINITY }).timeoutMs).toBe(Number.POSITIVE_INFINITY);
  });
});
