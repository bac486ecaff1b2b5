/** Header of requests that no fault of a local server affects or counts: those of the testing kit itself. */
export const UNSCRIPTED_HEADER = 'x-logclient-unscripted';
