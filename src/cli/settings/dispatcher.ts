import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { ConnectionSettings } from './connection-settings.ts';

/** Where a proxy can be named; undici reads these. */
const PROXY_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * What opens connections where the usual way does not do: a certificate of one's own, none at all, or a proxy that the
 * environment names (`HTTPS_PROXY`, `NO_PROXY`).
 */
export async function connectionDispatcher({
  caCertificate,
  insecure,
}: ConnectionSettings): Promise<Dispatcher | undefined> {
  const hasProxy = PROXY_VARIABLES.some((name) => (process.env[name] ?? '') !== '');
  if (caCertificate === undefined && !insecure.value && !hasProxy) return undefined;
  const tls = {
    rejectUnauthorized: !insecure.value,
    // Beside the certificates that are trusted anyway.
    ...(caCertificate === undefined ? {} : { ca: [...rootCertificates, caCertificate.value] }),
  };
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  return hasProxy ? new EnvHttpProxyAgent({ connect: tls, requestTls: tls }) : new Agent({ connect: tls });
}
