import { usageFailure } from '../command-failure.ts';
import type { Environment } from './environment.ts';
import type { Setting } from './setting.ts';

/** The environment variables that set a proxy, by protocol. */
const PROXY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY'],
};

/** The proxy for an address, from the environment; `undefined` if there is none. */
export function proxyFor(url: string, environment: Environment): Setting | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  const without = (environment.no_proxy ?? environment.NO_PROXY ?? '').split(/[\s,]+/);
  const isWithout = without.some((name) => name === '*' || isBelow(hostname, name));
  const origin = PROXY_VARIABLES[protocol]?.find((name) => proxyIn(environment, name) !== undefined);
  if (isWithout || origin === undefined) return undefined;
  return { value: proxyIn(environment, origin)!, origin };
}

/** @throws CommandFailure if the proxy is not a URL. */
export function checkProxy(proxy: Setting | undefined): void {
  if (proxy === undefined) return;
  const isAddress = URL.canParse(proxy.value) && /^https?:$/.test(new URL(proxy.value).protocol);
  if (isAddress) return;
  throw usageFailure(
    `${proxy.origin} is not a valid proxy address. It must look like http://proxy.example.com:3128.`,
  );
}

function proxyIn(environment: Environment, name: string): string | undefined {
  return environment[name] === '' ? undefined : environment[name];
}

function isBelow(hostname: string, name: string): boolean {
  const domain = name.replace(/^\*?\./, '').replace(/:\d+$/, '');
  return domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`));
}
