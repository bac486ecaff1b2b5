/** `logclient/local-server`: a local server with the HTTP API of LogScale, for development and tests. */

// The parts of a server, for types in helpers of callers.
export type { ServerClock } from './clock.ts';
export type { ClosePortOptions, EventMatch, Fault, FaultHandle, Faults } from './faults/fault.ts';
export type { Fetch } from './http/in-process-fetch.ts';
export type { AnsweredRequest, RequestFilter, RequestRecord } from './http/request-log.ts';
export type { InspectedJob, InspectedStore, Inspection } from './inspection.ts';
export type { LocalServerOptions, NgsiemServerOptions } from './local-server-options.ts';
export type { NgsiemOptions, NgsiemScope } from './ngsiem/ngsiem-options.ts';
export {
  type LocalServer,
  type NgsiemServer,
  type RunningServer,
  startLocalServer,
} from './node/local-server.ts';
export type { ReferenceDataOptions } from './reference-data-options.ts';
export type { RejectedRequest, Rejection } from './rejections/rejection.ts';
