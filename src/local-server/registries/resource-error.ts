export type ResourceFault = 'missing' | 'invalid' | 'conflict' | 'forbidden' | 'tooLarge';

/**
 * A request that is well formed but can't be carried out: an unknown name, a name that is taken, a bad value.
 *
 * REST answers it with a status and the message as text, GraphQL with status 200 and an `errors` item.
 */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  readonly fault: ResourceFault;
  readonly state: Readonly<Record<string, string>>;

  constructor(fault: ResourceFault, message: string, state: Readonly<Record<string, string>> = {}) {
    super(message);
    this.fault = fault;
    this.state = state;
  }
}
