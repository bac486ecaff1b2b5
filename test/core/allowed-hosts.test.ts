import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostProblem, isLoopbackHost } from '../../src/core/allowed-hosts.ts';
import { cases } from '../helpers/laws.ts';

const LOOPBACK = { allowedHosts: [], isLoopback: true };
const NETWORK = { allowedHosts: [], isLoopback: false };

function request(host: string, origin?: string, method = 'POST') {
  return { method, host, origin };
}

describe('Host header check on a loopback address', () => {
  it.each([
    'localhost',
    'localhost:5647',
    'LOCALHOST:5647',
    'localhost.:5647',
    'app.localhost',
    '127.0.0.1:5647',
    '127.1.2.3',
    '[::1]:5647',
    '192.168.1.20:5647',
    '[fe80::1]',
    'host.docker.internal:5647',
    'host.containers.internal',
  ])('allows %s', (host) => {
    expect(hostProblem(request(host), LOOPBACK)).toBeUndefined();
  });

  it.each([
    'evil.example',
    'evil.example:5647',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'evil.example@localhost',
    'evil.example/localhost',
    'docker.internal',
    'x y',
    '',
  ])('rejects "%s"', (host) => {
    expect(hostProblem(request(host, undefined, 'GET'), LOOPBACK)).toContain(JSON.stringify(host));
  });

  it('rejects any public domain unless allowedHosts lists it', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        expect(hostProblem(request(host), LOOPBACK)).toMatch(/^The host .* is not allowed/);
        expect(hostProblem(request(host), NETWORK)).toBeUndefined();
        expect(hostProblem(request(host), { ...LOOPBACK, allowedHosts: [host] })).toBeUndefined();
      }),
      cases(),
    );
  });

  it('allows names and domains in allowedHosts', () => {
    const options = { ...LOOPBACK, allowedHosts: ['logs.example.com', '.Dev.example'] };
    const problem = (host: string) => hostProblem(request(host), options);
    expect(problem('logs.example.com:80')).toBeUndefined();
    expect(problem('dev.example')).toBeUndefined();
    expect(problem('a.b.dev.example')).toBeUndefined();
    expect(problem('x.logs.example.com')).toBeDefined();
    expect(problem('baddev.example')).toBeDefined();
  });
});

describe('Origin header', () => {
  it.each([
    ['localhost:5647', 'http://localhost:5647'],
    ['localhost:5647', 'http://localhost:5173'],
    ['127.0.0.1:5647', 'http://localhost:5647'],
    ['localhost:5647', 'https://app.localhost'],
    ['localhost:5647', 'http://[::1]:3000'],
    ['192.168.1.20:5647', 'http://192.168.1.20:5647'],
    ['Laptop.lan:5647', 'http://laptop.lan:5647'],
  ])('of a request to %s can be %s', (host, origin) => {
    expect(hostProblem(request(host, origin), NETWORK)).toBeUndefined();
  });

  it.each(['https://evil.example', 'http://localhost.evil.example', 'http://198.51.100.7', 'null', '', 'x'])(
    'cannot be "%s", except for GET requests',
    (origin) => {
      for (const options of [LOOPBACK, NETWORK]) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const problem = hostProblem(request('localhost:5647', origin, method), options);
          expect(problem).toContain(`Web pages of ${JSON.stringify(origin)} are not allowed`);
        }
        expect(hostProblem(request('localhost:5647', origin, 'GET'), options)).toBeUndefined();
      }
    },
  );

  it('can be a host in allowedHosts', () => {
    const options = { ...LOOPBACK, allowedHosts: ['.example.com'] };
    expect(hostProblem(request('localhost', 'https://app.example.com'), options)).toBeUndefined();
  });
});

describe('isLoopbackHost()', () => {
  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['127.0.0.2', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.20', false],
    ['laptop', false],
  ])('maps %s to %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected);
  });
});
