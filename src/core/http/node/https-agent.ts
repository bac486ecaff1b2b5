import https from 'node:https';
import tls, { createSecureContext, rootCertificates } from 'node:tls';
import type { HttpProxy } from '../proxy-error.ts';
import { KEEP_ALIVE } from './idle-connections.ts';
import { TunnelAgent } from './tunnel-agent.ts';

export interface HttpsAgentOptions {
  readonly proxy?: HttpProxy | undefined;
  /** Certificates to trust in addition to those of Node. */
  readonly ca?: readonly string[] | undefined;
  /** @default false */
  readonly skipsVerification?: boolean;
  /** @default those of streams */
  readonly settings?: https.AgentOptions;
}

/** An agent for `https:`, through a proxy if there is one. */
export function openHttpsAgent({
  proxy,
  ca,
  skipsVerification = false,
  settings = KEEP_ALIVE,
}: HttpsAgentOptions): https.Agent {
  const options = {
    ...settings,
    // Parsed once. Unlike `ca`, it is not part of the key by which the agent finds connections.
    ...(ca && { secureContext: createSecureContext({ ca: [...defaultCertificates(), ...ca] }) }),
    ...(skipsVerification && { rejectUnauthorized: false }),
  };
  return proxy === undefined ? new https.Agent(options) : new TunnelAgent(proxy, options);
}

/** Includes `NODE_EXTRA_CA_CERTS` if Node has a function for that (22.15). */
function defaultCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => readonly string[] };
  return getCACertificates?.('default') ?? rootCertificates;
}
