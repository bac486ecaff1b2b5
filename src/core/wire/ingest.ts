/** One event of a structured ingest request. */
export interface StructuredEvent {
  /** Epoch milliseconds, a Date, or ISO 8601 with an offset. */
  timestamp: number | string | Date;
  /** Time zone name or offset to store if `timestamp` is a number. */
  timezone?: string | undefined;
  /** Fields of the event, which JSON can represent. The service flattens nested values. */
  attributes?: object | undefined;
  /** Raw text of the event. If omitted, the service stores the attributes as JSON. */
  rawstring?: string | undefined;
}

/** Events that share their tags. `POST /api/v1/ingest/humio-structured` accepts an array of these. */
export interface StructuredEventGroup {
  /** `undefined`, such as the value of an unset variable, is skipped. */
  tags?: Readonly<Record<string, string | undefined>> | undefined;
  events: readonly StructuredEvent[];
}

/** Lines to be parsed. `POST /api/v1/ingest/humio-unstructured` accepts an array of these. */
export interface UnstructuredMessageGroup {
  messages: readonly string[];
  /** Parser name. */
  type?: string;
  /** Fields added to every event. */
  fields?: Readonly<Record<string, string>>;
  tags?: Readonly<Record<string, string>>;
}
