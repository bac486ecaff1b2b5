/** The service's view of requests and records that it rejected. */
export const ACTIVITY_VIEW = 'humio-activity';
