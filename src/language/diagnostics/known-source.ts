/** What is known about the events, files and saved queries that a query can use. All parts are optional. */
export interface KnownSource {
  /** Fields of the events and their values, most frequent first. */
  readonly fields?: readonly KnownField[];
  readonly savedQueries?: readonly KnownName[];
  /** Lookup files. */
  readonly files?: readonly KnownFile[];
}

export interface KnownField {
  readonly name: string;
  readonly values?: readonly string[];
}

export interface KnownName {
  readonly name: string;
  /** One sentence. */
  readonly description?: string;
}

export interface KnownFile {
  readonly name: string;
  readonly columns?: readonly string[];
}
