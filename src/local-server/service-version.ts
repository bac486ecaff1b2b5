/**
 * The version of the service whose API this server has; clients compare what stands before the first `-`. The rest
 * tells a reader that this is not the service itself.
 */
export const SERVICE_VERSION = '1.189.0--logclient-local-server';
