/** Starts the last line of a streamed response that failed after its status. */
export const INCOMPLETE_RESPONSE = 'The response is incomplete: ';
