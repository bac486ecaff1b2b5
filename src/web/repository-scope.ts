import type { ServiceKind } from './service-kind.ts';
import type { WebCaller } from './web-caller.ts';

/** Where operations on a repository go: an authenticated caller and the repository's (or view's) name. */
export interface RepositoryScope {
  readonly webCaller: WebCaller;
  readonly repository: string;
  /** See `CAPABILITIES` for what this kind of service has. */
  readonly service: ServiceKind;
}
