import { randomHex } from '../../core/bytes.ts';
import { resourceId } from '../registries/resource-id.ts';
import { defaultIngestToken, openRepository } from '../repositories.ts';
import { savedTexts } from '../saved-value.ts';
import type { ServerHost } from '../server-context.ts';
import type { ResolvedNgsiemOptions } from './ngsiem-options.ts';

/** What clients of a Next-Gen SIEM server need. */
export interface NgsiemAccess {
  /** Name of the view that contains all events. */
  readonly repository: string;
  /** ID of the API client. */
  readonly clientId: string;
  /** Secret of the API client. */
  readonly clientSecret: string;
  /** {@link clientId} and {@link clientSecret}, for the option `auth` of `LogClient`. */
  readonly auth: { readonly clientId: string; readonly clientSecret: string };
  /** Address of the HEC connector. */
  readonly hecUrl: string;
  /** API key of the HEC connector. */
  readonly hecToken: string;
}

/** The view that contains all events. */
export const ALL_VIEW = 'search-all';

/** Opens the repository of the options. The credentials are those of the options, of an earlier run, or random ones in the format of the service. */
export function ngsiemAccess(
  { options: { repository: name, retentionDays }, repositories, folder }: ServerHost,
  options: ResolvedNgsiemOptions,
): Omit<NgsiemAccess, 'hecUrl'> {
  const repository = openRepository(repositories, name, retentionDays);
  const saved = savedTexts(folder, 'api-client.json', { clientId: '', clientSecret: '' });
  const last = saved.get();
  const auth = saved.keep({
    clientId: options.clientId ?? (last.clientId || randomHex(16)),
    clientSecret: options.clientSecret ?? (last.clientSecret || resourceId(40)),
  });
  return { repository: ALL_VIEW, ...auth, auth, hecToken: defaultIngestToken(repository, options.hecToken) };
}
