/** Thrown by a route handler: the response has this status and text. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Index of the invalid event in the request, if known. */
  eventNumber: number | undefined;
  /** Start of the invalid event, if known. */
  excerpt: string | undefined;
  /** How to fix it, for the list of rejections; empty if the message says it. */
  fix: string | undefined;

  constructor(status: number, text: string, headers: Readonly<Record<string, string>> = {}, fix?: string) {
    super(text);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
    this.fix = fix;
  }

  atEvent(eventNumber: number, excerpt?: string): this {
    this.eventNumber = eventNumber;
    this.excerpt = excerpt;
    return this;
  }

  /** The response: plain text, or `{ "detail": … }` for clients that read only JSON. */
  toResponse(request?: Request): Response {
    if (request !== undefined && readsJson(request)) {
      return Response.json({ detail: this.message }, { status: this.status, headers: this.headers });
    }
    return new Response(this.message, {
      status: this.status,
      headers: { 'content-type': 'text/plain; charset=UTF-8', ...this.headers },
    });
  }
}

/** Whether a client asks for JSON. Grafana's data source reads only JSON, but sends no `Accept` header. */
function readsJson({ headers }: Request): boolean {
  const accept = headers.get('accept');
  if (accept !== null) return /\bapplication\/json\b/i.test(accept);
  return /^Go-http-client\/|grafana/i.test(headers.get('user-agent') ?? '');
}

/** 400 with the service's message for a body it can't parse. */
export function malformed(detail: string): HttpError {
  return new HttpError(400, `The request content was malformed:\n${detail}`);
}

/** 404 with the service's message for everything that doesn't exist; `detail` says what. */
export function notFound(detail?: string): HttpError {
  const text = 'The requested resource could not be found.';
  return new HttpError(404, detail === undefined ? text : `${text}\n${detail}`);
}

/** Runs a parser. @throws HttpError 400 if it rejects its input or its depth */
export function orMalformed<Result>(
  parse: () => Result,
  problem: (message: string) => string = String,
): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw malformed(problem(error.message));
  }
}

/** {@link orMalformed} for a parser in slices. */
export function* slicesOrMalformed<Item, Result>(
  work: Iterator<Item, Result>,
  problem?: (message: string) => string,
): Generator<Item, Result> {
  for (;;) {
    const next = orMalformed(() => work.next(), problem);
    if (next.done === true) return next.value;
    yield next.value;
  }
}
