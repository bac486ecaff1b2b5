import type { Agent } from 'node:https';
import { openHttpsAgent } from './https-agent.ts';
import { resolveProxy } from './proxy.ts';

/**
 * An agent that accepts any certificate, for `--insecure` of the command line. The library has no such option.
 *
 * @throws LogOptionsException if the proxy in the environment is not a URL.
 */
export function unverifiedAgent(baseUrl: URL): Agent {
  const proxy = resolveProxy('logclient', undefined, baseUrl);
  return openHttpsAgent({ proxy, skipsVerification: true });
}
