/**
 * The version of the service whose API this server implements. Clients compare the part before the first `-`. The rest
 * shows that this is not the service itself.
 */
export const SERVICE_VERSION = '1.261.0--logclient-local-server';
