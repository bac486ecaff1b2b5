// The client

export { BaseLogClient } from './client/base-client.ts';
export type { LogClientOptions, LogIngestClientOptions } from './client/client-options.ts';
export type {
  AddFileContentsOptions,
  GetFileContentOptions,
  RowWindowOptions,
} from './client/file-contents.ts';
export type { GetFileOptions, UploadContent } from './client/files.ts';
export type { IngestMessagesOptions } from './client/ingest-calls.ts';
export { LogIngestClient } from './client/ingest-client.ts';
export type { AddIngestTokenOptions } from './client/ingest-tokens.ts';
export { LogClient } from './client/log-client.ts';
export type { CreateOrganizationOptions } from './client/organizations.ts';
export type { CreateParserOptions, TestParserOptions, UpdateParserOptions } from './client/parsers.ts';
// Queries and tails
export { BaseQueryJob } from './client/query/base-query-job.ts';
export { LiveQueryJob } from './client/query/live-query-job.ts';
export { type LqlValue, lql } from './client/query/lql.ts';
export type { PollOptions } from './client/query/poll-request.ts';
export { PollResult } from './client/query/poll-result.ts';
export { QueryFragment, type QueryText } from './client/query/query-fragment.ts';
export type { AroundOption, QueryOptions } from './client/query/query-options.ts';
export type { QueryJobOptions, QueryProgress, RunQueryOptions } from './client/query/run-query.ts';
export { StaticQueryJob } from './client/query/static-query-job.ts';
export type { StreamingQueryOptions } from './client/query/streaming-query.ts';
export type { ValidateQueryOptions } from './client/query-validation.ts';
export type {
  CreateRepositoryOptions,
  RedactEventsOptions,
  RetentionOptions,
  UpdateRetentionOptions,
} from './client/repositories.ts';
export type { CreateOptions, IfExists } from './client/resource.ts';
export type {
  CreateSavedQueryOptions,
  UpdateSavedQueryOptions,
} from './client/saved-queries.ts';
export type { CreateViewOptions, DeleteSearchDomainOptions } from './client/search-domains.ts';
export type { LiveQueryOptions, TailReconnect } from './client/tail/live-query-options.ts';
export type { TailOptions, TailSkip, TailSkipReason } from './client/tail/tail-options.ts';
export type { WaitForCondition, WaitForOptions } from './client/tail/wait-for.ts';
export { type ToReadableOptions, toReadable } from './client/to-readable.ts';
export type { CreateUserOptions, UpdateUserOptions } from './client/users.ts';
// Exceptions
export * from './core/errors.ts';
export type { CallOptions } from './core/http/call-options.ts';
export type { ClientCredentials } from './core/http/falcon/client-credentials.ts';
export type { FalconCloud } from './core/http/falcon/clouds.ts';
export type { FetchLike, FetchResponse } from './core/http/fetch-adapter.ts';
export type { GraphqlCallOptions, RestCallOptions } from './core/http/http-caller.ts';
export type { FileUpload } from './core/http/multipart.ts';
export type { ConnectionOptions } from './core/http/node/connection-options.ts';
export type { WebCallerOptions } from './core/http/node/web-caller.ts';
// Single HTTP calls
export { WebCaller } from './core/http/node/web-caller.ts';
export type { OnRequest, RequestReport } from './core/http/request-report.ts';
export type { ServiceKind } from './core/http/service-kind.ts';
export type { WebResponse } from './core/http/web-response.ts';
export { WebStreamer } from './core/http/web-streamer.ts';
// Shapes of the HTTP API
export type * from './core/wire/files.ts';
export type * from './core/wire/ingest.ts';
export type * from './core/wire/ingest-tokens.ts';
export type * from './core/wire/organizations.ts';
export type * from './core/wire/parsers.ts';
export type * from './core/wire/query.ts';
export type * from './core/wire/query-validation.ts';
export type * from './core/wire/repositories.ts';
export type * from './core/wire/saved-queries.ts';
export type * from './core/wire/status.ts';
export type * from './core/wire/users.ts';
export type { Compression } from './ingest/batch/encoded-batch.ts';
export { Ingester } from './ingest/ingester.ts';
export type { IngesterOptions, OverflowPolicy } from './ingest/options.ts';
export type { IngestEvent } from './ingest/record/ingest-event.ts';
export type { Tags } from './ingest/record/tags.ts';
// Ingest
export type { DeliveryEvents, Drop, DroppedRecords, Recovery } from './ingest/report/delivery-event.ts';
export type { DropReason, IngesterStats } from './ingest/report/ingester-stats.ts';
export type { Warning, WarningKind } from './ingest/report/warning.ts';
export type { SpoolOptions, SpoolSync } from './ingest/spool/spool-options.ts';
