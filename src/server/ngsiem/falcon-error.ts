import { HttpError } from '../http/http-error.ts';

/** Identifies a request to the service's support. */
export const TRACE_HEADER = 'x-cs-traceid';

/** Component that sends a response: the API gateway, or the token issuer. */
type Component = 'crowdstrike-api-gateway' | 'csam';

/** Thrown by a route: the request fails with this status, in the JSON shape of the Falcon API. */
export class FalconError extends HttpError {
  readonly #component: Component;

  constructor(
    status: number,
    message: string,
    { component = 'crowdstrike-api-gateway', headers = {}, fix }: FalconErrorOptions = {},
  ) {
    super(status, message, headers, fix);
    this.#component = component;
  }

  override toResponse(): Response {
    const meta = metaOf(this.#component);
    return Response.json(
      { meta, errors: [{ code: this.status, message: this.message }] },
      { status: this.status, headers: { ...this.headers, [TRACE_HEADER]: meta.trace_id } },
    );
  }
}

interface FalconErrorOptions {
  readonly component?: Component;
  readonly headers?: Readonly<Record<string, string>>;
  /** See {@link HttpError.fix}. */
  readonly fix?: string;
}

/** The member `meta` of a response of the Falcon API. */
export function metaOf(component: Component): { query_time: number; powered_by: string; trace_id: string } {
  return { query_time: 1e-7, powered_by: component, trace_id: crypto.randomUUID() };
}
