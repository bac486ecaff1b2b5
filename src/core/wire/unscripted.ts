/** A request with this header meets no fault of the local server: the testing kit's own requests. */
export const UNSCRIPTED_HEADER = 'x-logclient-unscripted';
