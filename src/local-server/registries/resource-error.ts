export type ResourceFault = 'missing' | 'invalid' | 'conflict' | 'forbidden' | 'tooLarge';

/**
 * A valid request that can't be carried out because a name is unknown or taken, or a value is invalid.
 *
 * REST responds with a status and the message as text, GraphQL with status 200 and an item in `errors`.
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
