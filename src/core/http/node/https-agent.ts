import https from 'node:https';
import tls, { createSecureContext, rootCertificates } from 'node:tls';
import type { HttpProxy } from '../proxy-error.ts';
import { KEEP_ALIVE } from './idle-connections.ts';
import { resolveProxy } from './proxy.ts';
import { TunnelAgent } from './tunnel-agent.ts';

export interface HttpsAgentOptions {
  readonly proxy?: HttpProxy | undefined;
  /** Certificates to trust in addition to those of Node. */
  readonly ca?: readonly string[] | undefined;
  /** @default those of streams */
  readonly settings?: https.AgentOptions;
}

/** An agent for `https:`, through a proxy if there is one. */
export function openHttpsAgent({ proxy, ca, settings = KEEP_ALIVE }: HttpsAgentOptions): https.Agent {
  const options = {
    ...settings,
    // Parsed once. Unlike `ca`, it is not part of the key by which the agent finds connections.
    ...(ca && { secureContext: createSecureContext({ ca: [...defaultCertificates(), ...ca] }) }),
  };
  return proxy === undefined ? new https.Agent(options) : new TunnelAgent(proxy, options);
}

/**
 * An agent that accepts any certificate, for `--insecure` of the command line. The library has no such option.
 *
 * @throws LogOptionsException if the proxy in the environment is not a URL.
 */
export function unverifiedAgent(baseUrl: URL): https.Agent {
  const settings = { ...KEEP_ALIVE, rejectUnauthorized: false };
  return openHttpsAgent({ proxy: resolveProxy('logclient', undefined, baseUrl), settings });
}

/** Includes `NODE_EXTRA_CA_CERTS` if Node has a function for that (22.15). */
function defaultCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => readonly string[] };
  return getCACertificates?.('default') ?? rootCertificates;
}
