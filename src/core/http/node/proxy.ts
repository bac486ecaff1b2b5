import { LogOptionsException } from '../../errors.ts';
import { isLoopbackName } from '../../loopback.ts';
import { requireText } from '../../option-checks.ts';
import { tryOr } from '../../try-or.ts';
import type { HttpProxy } from '../proxy-error.ts';

/** Variables that set a proxy, by protocol of the service. As in curl, lower case has precedence. */
const PROXY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY'],
};

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The proxy for `target`: the option `proxy`, else the environment. Variables don't apply to loopback addresses and to
 * the hosts in `NO_PROXY`.
 *
 * @throws LogOptionsException for an invalid address. The message never contains it, because it may have a password.
 */
export function resolveProxy(owner: string, option: unknown, target: URL): HttpProxy | undefined {
  if (option !== undefined) return requireProxy(owner, option);
  const origin = PROXY_VARIABLES[target.protocol]?.find((name) => variable(name) !== '');
  if (origin === undefined || isLoopbackName(target.hostname) || isExempt(target)) return undefined;
  return parseProxy(owner, origin, variable(origin));
}

/** The proxy that the option `proxy` names. @throws LogOptionsException like {@link resolveProxy} */
export function requireProxy(owner: string, option: unknown): HttpProxy {
  return parseProxy(owner, '"proxy"', requireText(owner, 'proxy', option).trim());
}

function parseProxy(owner: string, origin: string, text: string): HttpProxy {
  const example = 'Use an address such as http://proxy.example.com:3128.';
  // As in curl, the scheme is optional.
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address)) throw new LogOptionsException(`${owner}: ${origin} is not a URL. ${example}`);
  const url = new URL(address);
  if (!(url.protocol in DEFAULT_PORTS)) {
    throw new LogOptionsException(
      `${owner}: ${origin} must start with http:// or https:// (got ${url.protocol}//). ${example}`,
    );
  }
  const parts = [url.username, url.password].map((text) => tryOr(text, () => decodeURIComponent(text)));
  const credentials = parts.join(':');
  const headers = { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  return {
    url: new URL(`${url.protocol}//${url.host}`),
    origin,
    headers: credentials === ':' ? {} : headers,
  };
}

/** The host name for the TLS certificate of a proxy, empty for an IP address. By default, Node uses the header `host`. */
export function serverNameOf({ hostname }: URL): string {
  return /^(?:\[.*|[\d.]+)$/.test(hostname) ? '' : hostname;
}

function variable(name: string): string {
  return process.env[name]?.trim() ?? '';
}

/** Whether `NO_PROXY` contains the host, a parent domain, or `*`. An entry can have a port. */
function isExempt(target: URL): boolean {
  const port = target.port === '' ? DEFAULT_PORTS[target.protocol] : target.port;
  const entries = (variable('no_proxy') || variable('NO_PROXY')).toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => {
    const [, name = '', entryPort = port] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
    const isDomain = target.hostname === name || target.hostname.endsWith(`.${name}`);
    return name === '*' || (isDomain && entryPort === port);
  });
}
