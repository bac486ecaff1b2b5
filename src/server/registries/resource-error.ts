import { HttpError, notFound } from '../http/http-error.ts';

const STATUS = { missing: 404, invalid: 400, conflict: 409, tooLarge: 413 } as const;

/**
 * A valid request that can't be carried out because a name is unknown or taken, or a value is invalid.
 *
 * REST answers with the status and the message as text, GraphQL with status 200 and an `errors` item.
 */
export class ResourceError extends HttpError {
  readonly fault: keyof typeof STATUS;
  readonly state: Readonly<Record<string, string>>;

  constructor(fault: keyof typeof STATUS, message: string, state: Readonly<Record<string, string>> = {}) {
    super(STATUS[fault], message);
    this.name = 'ResourceError';
    this.fault = fault;
    this.state = state;
  }

  override toResponse(request?: Request): Response {
    return this.fault === 'missing' ? notFound(this.message).toResponse(request) : super.toResponse(request);
  }
}

type Fault = (message: string, field?: string) => ResourceError;

/** Errors of one kind. Those about an argument name it, with the problem. */
function fault(kind: keyof typeof STATUS, problem: string): Fault {
  return (message, field) =>
    new ResourceError(kind, message, field === undefined ? {} : { [field]: problem });
}

/** @throws ResourceError for a longer text */
export function checkLength(name: string, text: string | null | undefined, max: number): void {
  if ((text?.length ?? 0) > max) throw invalid(`${name} is longer than ${max} characters.`, name);
}

export const missing = fault('missing', 'not found');
export const invalid = fault('invalid', 'invalid');
export const tooLarge = fault('tooLarge', 'too large');
