import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { ConnectionSettings } from './connection-settings.ts';
import { checkProxy, namesProxy, proxyFor } from './proxy.ts';

/**
 * What opens connections where the usual way does not do: a certificate of one's own, none at all, or a proxy that the
 * environment names (`HTTPS_PROXY`, `NO_PROXY`).
 *
 * @throws CommandFailure for a proxy that is no address.
 */
export async function connectionDispatcher({
  url,
  caCertificate,
  insecure,
}: ConnectionSettings): Promise<Dispatcher | undefined> {
  checkProxy(proxyFor(url.value, process.env));
  const hasProxy = namesProxy(process.env);
  if (caCertificate === undefined && !insecure.value && !hasProxy) return undefined;
  const tls = {
    rejectUnauthorized: !insecure.value,
    // Beside the certificates that are trusted anyway.
    ...(caCertificate === undefined ? {} : { ca: [...rootCertificates, caCertificate.value] }),
  };
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  return hasProxy ? new EnvHttpProxyAgent({ connect: tls, requestTls: tls }) : new Agent({ connect: tls });
}
