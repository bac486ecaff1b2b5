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
export type { AnalyzeQueryOptions, ValidateQueryOptions } from './client/query-validation.ts';
export type {
  CreateRepositoryOptions,
  RetentionOptions,
  UpdateRetentionOptions,
} from './client/repositories.ts';
export type { CreateOptions, IfExists } from './client/resource.ts';
export type {
  CreateSavedQueryOptions,
  UpdateSavedQueryOptions,
} from './client/saved-queries.ts';
export type { CreateViewOptions, DeleteSearchDomainOptions } from './client/search-domains.ts';
export type { CreateUserOptions, UpdateUserOptions } from './client/users.ts';
// Exceptions
export * from './errors.ts';
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
// Queries and tails
export { BaseQueryJob, type PollOptions } from './query/base-query-job.ts';
export { LiveQueryJob } from './query/live-query-job.ts';
export { type LqlValue, lql } from './query/lql.ts';
export { PollResult } from './query/poll-result.ts';
export { QueryFragment, type QueryText } from './query/query-fragment.ts';
export type { AroundOption, QueryOptions } from './query/query-options.ts';
export type { QueryJobOptions, QueryProgress, RunQueryOptions } from './query/run-query.ts';
export { StaticQueryJob } from './query/static-query-job.ts';
export type { StreamingQueryOptions } from './query/streaming-query.ts';
export type { LiveQueryOptions } from './tail/live-query-options.ts';
export type { TailOptions, TailReconnect, TailSkip, TailSkipReason } from './tail/tail-options.ts';
export { type ToReadableOptions, toReadable } from './tail/to-readable.ts';
export type { WaitForCondition, WaitForOptions } from './tail/wait-for.ts';
export type { CallOptions } from './web/call-options.ts';
export type { ConnectionOptions } from './web/connection-options.ts';
export type { ClientCredentials } from './web/falcon/client-credentials.ts';
export type { FalconCloud } from './web/falcon/clouds.ts';
export type { FetchLike, FetchResponse } from './web/fetch-adapter.ts';
export type { FileUpload } from './web/multipart.ts';
export type { ServiceKind } from './web/service-kind.ts';
export type { GraphqlCallOptions, RestCallOptions, WebCallerOptions } from './web/web-caller.ts';
// Single HTTP calls
export { WebCaller } from './web/web-caller.ts';
export type { WebResponse } from './web/web-response.ts';
export { WebStreamer } from './web/web-streamer.ts';

// Shapes of the HTTP API
export type * from './wire/files.ts';
export type * from './wire/ingest.ts';
export type * from './wire/ingest-tokens.ts';
export type * from './wire/organizations.ts';
export type * from './wire/parsers.ts';
export type * from './wire/query.ts';
export type * from './wire/query-validation.ts';
export type * from './wire/repositories.ts';
export type * from './wire/saved-queries.ts';
export type * from './wire/status.ts';
export type * from './wire/users.ts';
