import { isIP } from 'node:net';
import { isLoopbackName } from './loopback.ts';

/** Names that containers use for the computer they run on. */
const CONTAINER_HOSTS = ['host.docker.internal', 'host.containers.internal'];

/** Methods that change nothing. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** The headers that show where a request was sent from. */
export interface RequestSource {
  readonly method: string;
  /** The header `Host`. */
  readonly host: string | undefined;
  /** The header `Origin`, which browsers send with requests of web pages. */
  readonly origin: string | undefined;
}

export interface AllowedHostsOptions {
  /** Additional host names, such as `logs.example.com`, or `.example.com` for all hosts of a domain. */
  readonly allowedHosts: readonly string[];
  /** Whether the server listens on a loopback address. Other servers don't know all their names. */
  readonly isLoopback: boolean;
}

/**
 * Why a server on this computer rejects a request; `undefined` if it doesn't. Protects against websites: those whose
 * name resolves to this computer (DNS rebinding), and those whose pages send requests.
 */
export function hostProblem(
  { method, host, origin }: RequestSource,
  { allowedHosts, isLoopback }: AllowedHostsOptions,
): string | undefined {
  const isAllowed = (name: string): boolean =>
    isLoopbackName(name) || CONTAINER_HOSTS.includes(name) || isListed(name, allowedHosts);
  if (isLoopback && host !== undefined) {
    const name = hostNameOf(`http://${host}`);
    // Only names can be rebound.
    const isAddress = isIP(name?.replace(/^\[(.*)\]$/, '$1') ?? '') !== 0;
    if (name === undefined || !(isAddress || isAllowed(name))) {
      return `The host ${quoted(host)} is not allowed. Use localhost or an IP address, or add the host to allowedHosts (--allow-host).`;
    }
  }
  if (origin === undefined || SAFE_METHODS.includes(method)) return undefined;
  if (URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()) return undefined;
  const name = hostNameOf(origin);
  if (name !== undefined && isAllowed(name)) return undefined;
  return `Web pages of ${quoted(origin)} are not allowed to change anything. Add their host to allowedHosts (--allow-host).`;
}

/** Whether a server that listens on this address accepts connections from this computer only. */
export function isLoopbackHost(host: string): boolean {
  const name = hostNameOf(`http://${isIP(host) === 6 ? `[${host}]` : host}`);
  return name !== undefined && isLoopbackName(name);
}

function isListed(name: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((entry) => {
    const allowed = entry.toLowerCase();
    return allowed.startsWith('.') ? `.${name}`.endsWith(allowed) : name === allowed;
  });
}

/** The normalized host name in a URL; `undefined` if there is none. */
function hostNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, username, pathname } = new URL(url);
  const isBare = username === '' && ['', '/'].includes(pathname);
  return isBare && hostname !== '' ? hostname.replace(/\.$/, '') : undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
