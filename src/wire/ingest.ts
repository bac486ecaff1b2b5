/** A JSON value as the ingest API takes it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** One event of a structured ingest request. */
export interface StructuredEvent {
  /** Epoch milliseconds, or ISO 8601 with an offset. */
  timestamp: number | string;
  /** A zone name or offset to record when `timestamp` is a number. */
  timezone?: string;
  /** The fields of the event; nested values are flattened by the service. */
  attributes?: { readonly [key: string]: JsonValue };
  /** The text of the event. Without it the service stores the attributes as JSON. */
  rawstring?: string;
}

/** Events that share their tags. `POST /api/v1/ingest/humio-structured` takes an array of these. */
export interface StructuredEventGroup {
  tags?: Readonly<Record<string, string>>;
  events: readonly StructuredEvent[];
}

/** Lines that go through a parser. `POST /api/v1/ingest/humio-unstructured` takes an array of these. */
export interface UnstructuredMessageGroup {
  messages: readonly string[];
  /** The name of the parser. */
  type?: string;
  /** Added to every event. */
  fields?: Readonly<Record<string, string>>;
  tags?: Readonly<Record<string, string>>;
}
