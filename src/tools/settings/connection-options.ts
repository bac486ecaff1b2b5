import type { ConnectionOptions } from '../../index.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/**
 * The address of the service and the certificates to trust, as options of a client.
 *
 * @throws LogOptionsException if `--insecure` is set and the proxy in the environment is not a URL.
 */
export async function connectionOptions({
  url: { value: baseUrl },
  caCertificate,
  insecure,
}: ConnectionSettings): Promise<ConnectionOptions> {
  const isSecure = URL.canParse(baseUrl) && new URL(baseUrl).protocol === 'https:';
  if (!insecure.value || !isSecure) return { baseUrl, ca: caCertificate?.value };
  const { unverifiedAgent } = await import('../../core/http/node/unverified-agent.ts');
  return { baseUrl, agent: unverifiedAgent(new URL(baseUrl)) };
}
