/** A line that a parser can't read: the event is stored all the same, with this as `@error_msg`. */
export class LineError extends Error {}
