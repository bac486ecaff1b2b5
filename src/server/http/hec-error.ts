import { HttpError } from './http-error.ts';

/** Errors of the HTTP Event Collector about the data of a request, with the messages and codes of Splunk. */
const HEC_ERRORS = {
  noData: { text: 'No data', code: 5, reason: 'The body is empty.' },
  noEvent: { text: 'Event field is required', code: 12, reason: 'An object has no "event".' },
  blankEvent: { text: 'Event field cannot be blank', code: 13, reason: 'The "event" of an object is empty.' },
} as const;

const FIX =
  'Send each record as the "event" of an object, or records without an envelope to /services/collector/raw. In Fluent Bit, remove "Splunk_Send_Raw". Nothing of the request was stored.';

/** Thrown for a request to the HTTP Event Collector: the response is JSON, and names the event. */
export class HecError extends HttpError {
  readonly #kind: keyof typeof HEC_ERRORS;

  constructor(kind: keyof typeof HEC_ERRORS) {
    const { text, code, reason } = HEC_ERRORS[kind];
    super(400, `${text} (code ${code}). ${reason}`, {}, kind === 'noData' ? 'Send at least one event.' : FIX);
    this.#kind = kind;
  }

  override toResponse(): Response {
    const { text, code } = HEC_ERRORS[this.#kind];
    const place = this.eventNumber === undefined ? {} : { 'invalid-event-number': this.eventNumber };
    return Response.json({ text, code, ...place }, { status: this.status });
  }
}
