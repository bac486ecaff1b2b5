/** The id of an event: a prefix, its number, and its second. */
export interface EventIds {
  readonly prefix: string;
  /** The number of the first event. */
  readonly first: number;
}
