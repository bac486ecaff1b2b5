import type { Agent } from 'node:http';
import type { FoundServer } from '../../discovery/local-servers.ts';
import { LogOptionsException } from '../../errors.ts';
import { type Checked, requireFunction, resolveAll, resolveTimeout, wrongKind } from '../../option-checks.ts';
import { resolveBaseUrl } from '../base-url.ts';
import type { FetchLike } from '../fetch-adapter.ts';
import { resolveHeaders } from '../headers.ts';
import type { HttpProxy } from '../proxy-error.ts';
import { resolveClientName } from '../user-agent.ts';
import { resolveCa } from './certificates.ts';
import { hasGlobalDispatcher } from './global-dispatcher.ts';
import { requireProxy, resolveProxy } from './proxy.ts';

/** Options for the connection to the service. */
export interface ConnectionOptions {
  /**
   * Address of the service, optionally with a path prefix.
   *
   * @default LOGSCALE_URL or HUMIO_ADDRESS from the environment. If nothing is set, a local server that is running on this
   * machine during development, else `http://localhost:3000`
   */
  baseUrl?: string | URL | undefined;
  /**
   * `node:http` or `node:https` agent. Can't be combined with `fetch`, `proxy` or `ca`.
   *
   * @default a keep-alive agent shared by all clients
   */
  agent?: Agent | undefined;
  /**
   * Function that sends the requests instead of `node:http`, for example a `fetch` with a dispatcher or the `fetch` of
   * a local server. Can't be combined with `agent`, `proxy` or `ca`.
   */
  fetch?: FetchLike | undefined;
  /**
   * Address of an HTTP proxy, such as `http://user:password@proxy.example.com:3128`.
   *
   * @default HTTPS_PROXY or HTTP_PROXY from the environment, except for loopback addresses and the hosts in NO_PROXY
   */
  proxy?: string | undefined;
  /**
   * CA certificates in PEM format to trust in addition to those that Node trusts.
   *
   * @default only the certificates that Node trusts, including those in NODE_EXTRA_CA_CERTS
   */
  ca?: string | readonly string[] | undefined;
  /**
   * Name of the program, optionally with a version, such as `shop/1.4.2`. Precedes `logclient` in the
   * `User-Agent` header.
   *
   * @default none
   */
  clientName?: string | undefined;
  /** Headers added to every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Timeout for one request, and for each silence of its response, in milliseconds. `Infinity` disables it. @default 30_000 */
  timeoutMs?: number | undefined;
}

export interface ResolvedConnectionOptions extends Checked<ReturnType<typeof checksOf>> {
  /** The local server that was found at `baseUrl`. */
  readonly localServer?: FoundServer | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Validates {@link ConnectionOptions} and adds defaults. Ignores other members.
 *
 * @param owner name of the caller, for messages.
 * @param token name of the option that sets the header `authorization`, which is then rejected in `headers`.
 * @throws LogOptionsException
 */
export function resolveConnectionOptions(
  owner: string,
  options: ConnectionOptions,
  token?: string,
): ResolvedConnectionOptions {
  const resolved: ResolvedConnectionOptions = Object.freeze(
    resolveAll(checksOf(owner, options, token), [() => rejectCombinations(owner, options)]),
  );
  // Of the environment, whose variable depends on the address.
  connectionProxy(owner, resolved);
  return resolved;
}

function checksOf(owner: string, options: ConnectionOptions, token?: string) {
  const { agent, fetch, proxy } = options;
  return {
    baseUrl: () => resolveBaseUrl(owner, options.baseUrl),
    agent: () => requireAgent(owner, agent),
    fetch: () => requireFunction(owner, 'fetch', fetch),
    /** The option only; {@link connectionProxy} also reads the environment. */
    proxy: () => (proxy === undefined ? undefined : requireProxy(owner, proxy) && proxy),
    ca: () => resolveCa(owner, options.ca),
    clientName: () => resolveClientName(owner, options.clientName),
    headers: () => resolveHeaders(owner, options.headers, token),
    timeoutMs: () => resolveTimeout(owner, options.timeoutMs, DEFAULT_TIMEOUT_MS),
  } satisfies Record<keyof ConnectionOptions, () => unknown>;
}

export const CONNECTION_OPTION_NAMES = Object.keys(checksOf('', {}));

function requireAgent(owner: string, agent: Agent | undefined): Agent | undefined {
  if (agent === undefined || typeof (agent as Partial<Agent> | null)?.destroy === 'function') return agent;
  throw wrongKind(owner, '"agent"', 'a node:http or node:https agent', agent);
}

/** @throws LogOptionsException if two options decide how requests are sent. */
function rejectCombinations(owner: string, options: ConnectionOptions): void {
  const set = (['agent', 'fetch', 'proxy', 'ca'] as const).filter((name) => options[name] !== undefined);
  const [own, other] = set;
  if (other === undefined || own === 'proxy') return;
  throw new LogOptionsException(`${owner}: "${own}" and "${other}" can't be combined; pass only one.`);
}

/**
 * The proxy for the service, unless an `agent`, a `fetch` or undici's global dispatcher opens the connections.
 *
 * @throws LogOptionsException for an invalid address.
 */
export function connectionProxy(owner: string, connection: ResolvedConnectionOptions): HttpProxy | undefined {
  const { agent, fetch, proxy, baseUrl } = connection;
  const isElsewhere = agent !== undefined || fetch !== undefined || usesGlobalDispatcher(connection);
  return isElsewhere ? undefined : resolveProxy(owner, proxy, baseUrl);
}

/** Whether requests go through the dispatcher that the program has passed to undici's `setGlobalDispatcher`. */
export function usesGlobalDispatcher({ agent, fetch, proxy, ca }: ResolvedConnectionOptions): boolean {
  return [agent, fetch, proxy, ca].every((option) => option === undefined) && hasGlobalDispatcher();
}
