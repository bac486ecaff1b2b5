/** Text between the tags of a section and its first record. Empty for records without sections. */
export type BatchFormat = string;

/** Start of a section, before its tags. */
export const SECTION_START = '{"tags":';

/** For events of the structured ingest API. */
export const EVENTS: BatchFormat = ',"events":[';

/** For objects of an event collector, which contain their tags. */
export const LINES: BatchFormat = '';

export interface TextHandling {
  /** @default the parser of the token */
  readonly parser?: string | undefined;
  /** Fields to add to each event. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** For lines of text of the unstructured ingest API. */
export function messages({ parser, fields }: TextHandling): BatchFormat {
  const handling = JSON.stringify({ type: parser, fields: fields ?? {} });
  return `,${handling.slice(1, -1)},"messages":[`;
}
