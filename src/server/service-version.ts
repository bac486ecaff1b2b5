/**
 * The service version whose API this server implements. Clients compare the part before the first `-`; the rest
 * identifies the local server.
 */
export const SERVICE_VERSION = '1.261.0--logclient-local-server';
