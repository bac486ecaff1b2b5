import type { HttpCaller } from './http-caller.ts';
import type { ServiceKind } from './service-kind.ts';

/** The target of operations on a repository: an authenticated caller and the name of the repository or view. */
export interface RepositoryScope {
  readonly webCaller: HttpCaller;
  readonly repository: string;
  /** See `CAPABILITIES` for what this kind of service supports. */
  readonly service: ServiceKind;
}
