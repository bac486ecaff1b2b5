import type { Agent } from 'node:http';
import { rootCertificates } from 'node:tls';
import type { ConnectionSettings } from './connection-settings.ts';
import { checkProxy, proxyFor } from './proxy.ts';

/**
 * Opens connections through the proxy that the environment names (`HTTPS_PROXY`, `NO_PROXY`), with a custom CA, or
 * without checking certificates. `undefined` if none of these is set.
 *
 * @throws CommandFailure if the proxy is not a URL.
 */
export async function connectionAgent({
  url,
  caCertificate,
  insecure,
}: ConnectionSettings): Promise<Agent | undefined> {
  const proxy = proxyFor(url.value, process.env);
  checkProxy(proxy);
  const isSecure = url.value.toLowerCase().startsWith('https:');
  const hasOwnTls = isSecure && (caCertificate !== undefined || insecure.value);
  if (proxy === undefined && !hasOwnTls) return undefined;
  const tls = {
    rejectUnauthorized: !insecure.value,
    ...(caCertificate === undefined ? {} : { ca: [...rootCertificates, caCertificate.value] }),
  };
  if (proxy === undefined) {
    const https = await import('node:https');
    return new https.Agent({ keepAlive: true, ...tls });
  }
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  return new HttpsProxyAgent(proxy.value, { keepAlive: true, ...tls });
}
