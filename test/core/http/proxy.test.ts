import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { resolveProxy } from '../../../src/core/http/node/proxy.ts';

const NAMES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];

afterEach(() => vi.unstubAllEnvs());

function setEnvironment(environment: Record<string, string>): void {
  for (const name of NAMES) vi.stubEnv(name, environment[name]);
}

/** The proxy for an address, and what sets it. */
function proxyFor(address: string, environment: Record<string, string>, option?: string): string | undefined {
  setEnvironment(environment);
  const proxy = resolveProxy('Thing', option, new URL(address));
  return proxy && `${proxy.url.host} from ${proxy.origin}`;
}

const BOTH = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:2' };

describe('The proxy of a connection', () => {
  it('is HTTPS_PROXY for https: and HTTP_PROXY for http:', () => {
    expect(proxyFor('https://logscale.test', BOTH)).toBe('secure:1 from HTTPS_PROXY');
    expect(proxyFor('http://logscale.test', BOTH)).toBe('plain:2 from HTTP_PROXY');
    expect(proxyFor('http://logscale.test', { HTTPS_PROXY: 'http://secure:1' })).toBeUndefined();
  });

  it('is the lower-case variable if both are set', () => {
    expect(proxyFor('https://logscale.test', { ...BOTH, https_proxy: 'http://low:3' })).toBe(
      'low:3 from https_proxy',
    );
    expect(proxyFor('https://logscale.test', { ...BOTH, https_proxy: ' ' })).toBe(
      'secure:1 from HTTPS_PROXY',
    );
  });

  it.each([
    'http://localhost:8080',
    'http://api.localhost',
    'http://127.0.0.1',
    'https://127.8.9.10:5',
    'https://[::1]:5',
  ])('is never read from the environment for %s', (address) => {
    expect(proxyFor(address, BOTH)).toBeUndefined();
  });

  it('is the option, even for a loopback address or a host in NO_PROXY', () => {
    const environment = { ...BOTH, NO_PROXY: '*' };
    expect(proxyFor('http://localhost', environment, 'http://own:4')).toBe('own:4 from "proxy"');
    expect(proxyFor('https://logscale.test', environment, 'https://own:4')).toBe('own:4 from "proxy"');
  });

  it.each([
    ['*', true],
    ['logscale.test', true],
    ['LogScale.Test', true],
    ['a.example, logscale.test', true],
    ['a.example logscale.test', true],
    ['.test', true],
    ['*.test', true],
    ['test', true],
    ['logscale.test:443', true],
    ['logscale.test:8443', false],
    ['scale.test', false],
    ['a.logscale.test', false],
    ['', false],
    [',', false],
  ])('with NO_PROXY=%j is bypassed for https://logscale.test: %j', (noProxy, isBypassed) => {
    const proxy = proxyFor('https://logscale.test', { ...BOTH, NO_PROXY: noProxy });
    expect(proxy === undefined).toBe(isBypassed);
  });

  it('can be set without a scheme', () => {
    expect(proxyFor('https://logscale.test', { HTTPS_PROXY: 'proxy.example.com:3128' })).toBe(
      'proxy.example.com:3128 from HTTPS_PROXY',
    );
  });

  it('has its credentials in a header, not in its address', () => {
    setEnvironment({});
    const proxy = resolveProxy('Thing', 'http://me:p%40ss%@proxy:1/path', new URL('http://logscale.test'));
    expect(proxy?.url.href).toBe('http://proxy:1/');
    expect(proxy?.headers).toEqual({
      'proxy-authorization': `Basic ${Buffer.from('me:p%40ss%').toString('base64')}`,
    });
    const escaped = resolveProxy('Thing', 'http://me:p%40ss@proxy:1', new URL('http://logscale.test'));
    expect(escaped?.headers).toEqual({
      'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    });
  });

  it.each([
    ['http://me:hunter2hunter2@host:port', 'is not a URL'],
    ['socks5://me:hunter2hunter2@host', 'must start with http:// or https:// (got socks5://)'],
  ])(
    'is rejected with the name of the option or variable and without the password: %s',
    (address, reason) => {
      setEnvironment({ HTTPS_PROXY: address });
      const target = new URL('https://logscale.test');
      for (const [option, name] of [
        [address, '"proxy"'],
        [undefined, 'HTTPS_PROXY'],
      ]) {
        const attempt = () => resolveProxy('Thing', option, target);
        expect(attempt).toThrow(LogOptionsException);
        expect(attempt).toThrow(`Thing: ${name} ${reason}`);
        expect(attempt).not.toThrow('hunter2');
      }
      expect(() => resolveProxy('Thing', 8080, target)).toThrow('Thing: "proxy" must be a non-empty string');
    },
  );
});
