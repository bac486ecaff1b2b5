import type { FoundServer } from '../core/discovery/local-servers.ts';
import { LogConnectionException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import type { ResolvedCredentials } from '../core/http/falcon/client-credentials.ts';
import { FalconCaller } from '../core/http/falcon/falcon-caller.ts';
import { FollowedServer } from '../core/http/node/followed-server.ts';
import type { WebCaller } from '../core/http/node/web-caller.ts';
import { path } from '../core/http/path.ts';
import { CAPABILITIES, type ServiceKind } from '../core/http/service-kind.ts';
import type { LookupFile, LookupFileContent } from '../core/wire/files.ts';
import type { IngestToken } from '../core/wire/ingest-tokens.ts';
import type { Organization } from '../core/wire/organizations.ts';
import type { Parser, ParserSummary, ParserTestCaseInput, ParserTestResult } from '../core/wire/parsers.ts';
import type { LogEvent } from '../core/wire/query.ts';
import type { QueryValidation } from '../core/wire/query-validation.ts';
import type {
  Repository,
  RepositoryDetails,
  SearchDomain,
  SearchDomainDetails,
  SearchDomainSummary,
  ViewConnection,
} from '../core/wire/repositories.ts';
import type { SavedQuery } from '../core/wire/saved-queries.ts';
import type { ServiceStatus } from '../core/wire/status.ts';
import type { User, UserDetails } from '../core/wire/users.ts';
import { BaseLogClient, tokenCaller } from './base-client.ts';
import { type LogClientOptions, type ResolvedAuth, resolveLogClientOptions } from './client-options.ts';
import * as contents from './file-contents.ts';
import * as files from './files.ts';
import type { IngestEndpoints } from './ingest-calls.ts';
import * as ingestTokens from './ingest-tokens.ts';
import * as organizations from './organizations.ts';
import * as parsers from './parsers.ts';
import type { LiveQueryJob } from './query/live-query-job.ts';
import type { PollResult } from './query/poll-result.ts';
import { type QueryText, queryStringOf } from './query/query-fragment.ts';
import type { QueryOptions } from './query/query-options.ts';
import * as queries from './query/run-query.ts';
import type { StaticQueryJob } from './query/static-query-job.ts';
import { type StreamingQueryOptions, streamingQuery } from './query/streaming-query.ts';
import * as queryValidation from './query-validation.ts';
import * as repositories from './repositories.ts';
import { Api, type CreateOptions } from './resource.ts';
import * as savedQueries from './saved-queries.ts';
import * as searchDomains from './search-domains.ts';
import { getStatus } from './status.ts';
import type { LiveQueryOptions } from './tail/live-query-options.ts';
import { liveRows } from './tail/live-rows.ts';
import { tail } from './tail/tail.ts';
import type { TailOptions } from './tail/tail-options.ts';
import { type WaitForCondition, type WaitForOptions, waitFor } from './tail/wait-for.ts';
import { watch } from './tail/watch.ts';
import * as users from './users.ts';

/**
 * A client for the whole API: of Falcon LogScale with the API token of a user, or of CrowdStrike Next-Gen SIEM with
 * `auth`. To only ingest into LogScale, use {@link LogIngestClient}, which needs fewer permissions.
 *
 * Next-Gen SIEM has queries, tails and lookup files. Other methods throw a LogException with the code
 * `LOG_NOT_SUPPORTED`, which names the alternative, before anything is sent.
 *
 * Every method accepts the options `headers`, `signal`, `timeoutMs` and `maxRetries`. Invalid arguments throw a LogOptionsException
 * before anything is sent. Failed calls throw a LogHTTPException, LogConnectionException or LogTimeoutException. An
 * aborted call throws the reason of the signal.
 */
export class LogClient extends BaseLogClient {
  /** Repository or view that the client works with. */
  readonly repository: string;
  /** Kind of service that the client talks to. */
  readonly service: ServiceKind;
  readonly #api: Api;

  /** @throws LogOptionsException */
  constructor(options: LogClientOptions = {}) {
    const { repository, auth, connection } = resolveLogClientOptions(options);
    super(
      openCaller(auth, connection),
      CAPABILITIES[auth.service].ingest ? endpointsOf(repository) : undefined,
    );
    this.repository = repository;
    this.service = auth.service;
    this.#api = new Api(this.webCaller, repository, auth.service);
  }

  // Queries

  /**
   * Creates a query job on the service, to be polled for its results. Suited for live queries and small results.
   *
   * @throws LogQueryException if the service rejects the query
   *
   * @example
   * ```ts
   * await using job = await client.createQueryJob('count()', { isLive: true });
   * const { events } = await job.poll();
   * ```
   */
  createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options: QueryOptions & { isLive: true },
  ): Promise<LiveQueryJob<Row>>;
  createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options?: QueryOptions & { isLive?: false | undefined },
  ): Promise<StaticQueryJob<Row>>;
  createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options?: QueryOptions,
  ): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>>;
  async createQueryJob<Row extends object = LogEvent>(
    queryString: QueryText,
    options: QueryOptions = {},
  ): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>> {
    return queries.createQueryJob<Row>(this.#api, queryStringOf(queryString), options);
  }

  /**
   * Returns a query job that exists on the service, such as one that another process created. Sends nothing.
   *
   * @example
   * ```ts
   * const { id, session } = await client.createQueryJob('count()');
   * const { events } = await client.queryJob(id, { session }).poll();
   * ```
   */
  queryJob<Row extends object = LogEvent>(
    id: string,
    options: queries.QueryJobOptions & { isLive: true },
  ): LiveQueryJob<Row>;
  queryJob<Row extends object = LogEvent>(
    id: string,
    options?: queries.QueryJobOptions & { isLive?: false | undefined },
  ): StaticQueryJob<Row>;
  queryJob<Row extends object = LogEvent>(
    id: string,
    options?: queries.QueryJobOptions,
  ): StaticQueryJob<Row> | LiveQueryJob<Row>;
  queryJob<Row extends object = LogEvent>(
    id: string,
    options?: queries.QueryJobOptions,
  ): StaticQueryJob<Row> | LiveQueryJob<Row> {
    return queries.queryJob<Row>(this.#api, id, options);
  }

  /**
   * Yields the rows of a query as the service finds them. Suited for large results. `timeoutMs` limits the time until
   * the response starts; for an aggregate query, it starts when the query is done. Leaving the loop stops the query.
   * For live queries, see {@link tail}.
   *
   * On Next-Gen SIEM, runs on query jobs: events are sorted oldest first, and a live query runs as a tail.
   *
   * @throws LogQueryException if the service rejects the query
   * @throws LogConnectionDroppedException if the connection drops or is silent for `idleTimeoutMs`, or if the service ends
   * a live query, which has no end.
   *
   * @example
   * ```ts
   * for await (const event of client.streamingQuery('level=error', { start: '7 days' })) console.log(event);
   * ```
   */
  streamingQuery<Row extends object = LogEvent>(
    queryString: QueryText,
    options: StreamingQueryOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    const text = queryStringOf(queryString);
    return options?.isLive === true && !CAPABILITIES[this.service].streaming
      ? liveRows<Row>(this, text, options)
      : streamingQuery<Row>(this.#api, text, options);
  }

  /**
   * Runs a query and returns all its rows; events are sorted newest first. Limits in the query apply, such as 200 rows
   * for `sort()` and `table()`. On LogScale, events after the newest 200 are streamed. With a `limit`, on Next-Gen SIEM, or
   * if the service can't stream them all, there is one further query per 200 events.
   *
   * Aborting the call deletes the query on the service.
   *
   * @throws LogQueryException if the service rejects the query
   * @throws LogException with the code `LOG_CANNOT_PAGE` for a query with more than 200 events that removes `@id` or
   * `@timestamp`, if the service can't stream them either
   *
   * @example
   * ```ts
   * const rows = await client.query('level=error | groupBy(#service)', { start: new Date('2026-03-01') });
   * ```
   */
  async query<Row extends object = LogEvent>(
    queryString: QueryText,
    options: queries.RunQueryOptions = {},
  ): Promise<Row[]> {
    return queries.runQuery<Row>(this.#api, queryStringOf(queryString), options);
  }

  /**
   * Checks whether the service can run a query, and returns its diagnostics.
   *
   * @example
   * ```ts
   * const { isValid, diagnostics } = await client.validateQuery('level=error | count(');
   * ```
   */
  async validateQuery(
    queryString: QueryText,
    options: queryValidation.ValidateQueryOptions = {},
  ): Promise<QueryValidation> {
    return queryValidation.validateQuery(this.#api, queryStringOf(queryString), options);
  }

  // Live results

  /**
   * Yields the events of a query as they arrive, each once, across dropped connections and restarts of the service. A
   * slow loop applies backpressure. Ends with the loop, or without an error when `signal` aborts.
   *
   * @example
   * ```ts
   * for await (const event of client.tail('level=error', { last: 10 })) console.log(event.message);
   * ```
   */
  tail<Row extends object = LogEvent>(
    queryString: QueryText,
    options: TailOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    return tail<Row>(this, queryStringOf(queryString), options);
  }

  /**
   * Yields the result of a live query, including aggregates, each time it changes. Until `isDone` is true, the service
   * is still searching existing events and the result is partial; see `progress`.
   *
   * @example
   * ```ts
   * for await (const { events } of client.watch('count()', { start: '5 minutes' })) console.log(events[0]?._count);
   * ```
   */
  watch<Row extends object = LogEvent>(
    queryString: QueryText,
    options: LiveQueryOptions = {},
  ): AsyncGenerator<PollResult<Row>, void, undefined> {
    return watch<Row>(this, queryStringOf(queryString), options);
  }

  /**
   * Waits until a query has a number of rows, or rows that meet a condition, and returns them.
   *
   * @param condition @default 1 row
   * @throws LogWaitTimeoutException with the last rows after `timeoutMs`
   *
   * @example
   * ```ts
   * const [event] = await client.waitFor('order=1042', 1, { timeoutMs: 5_000 });
   * ```
   */
  waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition: Exclude<WaitForCondition<Row>, number>,
    options?: WaitForOptions,
  ): Promise<Row[]>;
  waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition?: number,
    options?: WaitForOptions,
  ): Promise<[Row, ...Row[]]>;
  waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition: WaitForCondition<Row>,
    options?: WaitForOptions,
  ): Promise<Row[]>;
  async waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition?: WaitForCondition<Row>,
    options: WaitForOptions = {},
  ): Promise<Row[]> {
    return waitFor<Row>(this, queryStringOf(queryString), condition, options);
  }

  // The service

  /**
   * Returns the status and version of the service. A service that reports being down is a result, not an error.
   *
   * @example
   * ```ts
   * const { version } = await client.getStatus();
   * ```
   */
  getStatus(options: CallOptions = {}): Promise<ServiceStatus> {
    return getStatus(this.#api, options);
  }

  // Users

  /** Returns all users of the service, or those of the organization if the token's access is limited to it. */
  getUsers(options: CallOptions = {}): Promise<User[]> {
    return users.getUsers(this.#api, options);
  }

  /**
   * Returns the user with exactly this email address, or undefined.
   *
   * @example
   * ```ts
   * const user = await client.getUserByEmail('ann@example.com');
   * ```
   */
  getUserByEmail(email: string, options: CallOptions = {}): Promise<User | undefined> {
    return users.getUserByEmail(this.#api, email, options);
  }

  /**
   * Creates a user. By default, an existing user stays unchanged.
   *
   * @throws LogException with the code `LOG_EXISTS` if the user exists and `ifExists` is `error`.
   *
   * @example
   * ```ts
   * const { userID } = await client.createUser('ann@example.com');
   * ```
   */
  createUser(email: string, options: users.CreateUserOptions = {}): Promise<User> {
    return users.createUser(this.#api, email, options);
  }

  /**
   * Deletes a user.
   *
   * @returns the deleted user, or undefined if no user has this email address.
   *
   * @example
   * ```ts
   * await client.deleteUserByEmail('ann@example.com');
   * ```
   */
  deleteUserByEmail(email: string, options: CallOptions = {}): Promise<User | undefined> {
    return users.deleteUserByEmail(this.#api, email, options);
  }

  /**
   * Deletes a user.
   *
   * @returns the deleted user, if the service returns it.
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if the user does not exist.
   */
  deleteUserById(userId: string, options: CallOptions = {}): Promise<User | undefined> {
    return users.deleteUserById(this.#api, userId, options);
  }

  /** Returns the details of the user with this ID, or undefined. */
  getUser(userId: string, options: CallOptions = {}): Promise<UserDetails | undefined> {
    return users.getUser(this.#api, userId, options);
  }

  /** Returns the user that the token belongs to. */
  getCurrentUser(options: CallOptions = {}): Promise<UserDetails> {
    return users.getCurrentUser(this.#api, options);
  }

  /**
   * Updates the given properties of the user with this ID.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if the user does not exist, or `LOG_EXISTS` if the user name
   * is already in use.
   */
  updateUser(userId: string, options: users.UpdateUserOptions): Promise<UserDetails> {
    return users.updateUser(this.#api, userId, options);
  }

  // Organizations

  /** Returns the organization that the token belongs to. */
  getOrganization(options: CallOptions = {}): Promise<Organization> {
    return organizations.getOrganization(this.#api, options);
  }

  /** Returns all organizations of the service, without descriptions. Requires permission to administer the service. */
  listOrganizations(options: CallOptions = {}): Promise<Organization[]> {
    return organizations.listOrganizations(this.#api, options);
  }

  /** Creates an organization without users. Requires permission to administer the service. */
  createOrganization(
    name: string,
    options: organizations.CreateOrganizationOptions = {},
  ): Promise<Organization> {
    return organizations.createOrganization(this.#api, name, options);
  }

  // Lookup files

  /**
   * Returns the lookup files of the repository or view.
   *
   * @example
   * ```ts
   * const names = (await client.listFiles()).map(({ nameAndPath }) => nameAndPath.name);
   * ```
   */
  listFiles(options: CallOptions = {}): Promise<LookupFile[]> {
    return files.listFiles(this.#api, options);
  }

  /**
   * Creates an empty lookup file. With `ifExists: 'keep'` or `'update'`, returns the first rows of an existing CSV file
   * unchanged. To replace its content, use {@link uploadFile}.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the file exists.
   */
  createFile(name: string, options: CreateOptions = {}): Promise<LookupFileContent> {
    return files.createFile(this.#api, name, options);
  }

  /**
   * Uploads a lookup file from a path or from memory. Replaces a file with the same name.
   *
   * @example
   * ```ts
   * await client.uploadFile('hosts.csv');
   * await client.uploadFile({ name: 'teams.csv', content: 'service,team\ncheckout,blue\n' });
   * ```
   */
  uploadFile(file: string | files.UploadContent, options: CallOptions = {}): Promise<void> {
    return files.uploadFile(this.#api, file, options);
  }

  /**
   * Downloads a lookup file: as a string if `encoding` is given, else as bytes. For a file of a package, pass
   * `<package>/<name>`.
   *
   * @example
   * ```ts
   * const text = await client.getFile('hosts.csv', { encoding: 'utf-8' });
   * ```
   */
  getFile(name: string, options: files.GetFileOptions & { encoding: string }): Promise<string>;
  getFile(name: string, options?: files.GetFileOptions & { encoding?: undefined }): Promise<Uint8Array>;
  getFile(name: string, options?: files.GetFileOptions): Promise<string | Uint8Array>;
  getFile(name: string, options: files.GetFileOptions = {}): Promise<string | Uint8Array> {
    return files.getFile(this.#api, name, options);
  }

  /**
   * Deletes a lookup file.
   *
   * @returns false if the file does not exist.
   *
   * @example
   * ```ts
   * const wasDeleted = await client.deleteFile('hosts.csv');
   * ```
   */
  deleteFile(name: string, options: CallOptions = {}): Promise<boolean> {
    return files.deleteFile(this.#api, name, options);
  }

  /**
   * Returns rows of a CSV file.
   *
   * @example
   * ```ts
   * const { headers, lines } = await client.getFileContent('hosts.csv', { filterString: 'web' });
   * ```
   */
  getFileContent(name: string, options: contents.GetFileContentOptions = {}): Promise<LookupFileContent> {
    return contents.getFileContent(this.#api, name, options);
  }

  /**
   * Replaces the rows of a CSV file from `offset` to `offset + limit` with `changedRows`, which can be fewer or more: by
   * default the first 200 rows, even with a single row. To add rows after the last one, set `offset` as below.
   *
   * @param headers all column names after the change.
   *
   * @example
   * ```ts
   * const { headers, totalLinesCount: offset } = await client.getFileContent('hosts.csv');
   * await client.addFileContents('hosts.csv', headers, [['web-7', 'ann']], { offset });
   * ```
   */
  addFileContents(
    name: string,
    headers: readonly string[],
    changedRows: readonly (readonly string[])[],
    options: contents.AddFileContentsOptions = {},
  ): Promise<LookupFileContent> {
    return contents.addFileContents(this.#api, name, headers, changedRows, options);
  }

  /** Removes the rows of a CSV file from `offset` to `offset + limit`. */
  removeFileContents(name: string, options: contents.RowWindowOptions = {}): Promise<LookupFileContent> {
    return contents.removeFileContents(this.#api, name, options);
  }

  // Saved queries

  /**
   * Saves a query under a name.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use.
   *
   * @example
   * ```ts
   * await client.createSavedQuery('failures', 'level=error', { ifExists: 'update' });
   * ```
   */
  async createSavedQuery(
    name: string,
    queryString: QueryText,
    options: savedQueries.CreateSavedQueryOptions = {},
  ): Promise<SavedQuery> {
    return savedQueries.createSavedQuery(this.#api, name, queryStringOf(queryString), options);
  }

  /**
   * Returns the saved queries of the repository.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if the repository or view does not exist.
   */
  listSavedQueries(options: CallOptions = {}): Promise<SavedQuery[]> {
    return savedQueries.listSavedQueries(this.#api, options);
  }

  /**
   * Returns the saved query with this ID or name, or undefined.
   *
   * @example
   * ```ts
   * const saved = await client.getSavedQuery('failures');
   * ```
   */
  getSavedQuery(idOrName: string, options: CallOptions = {}): Promise<SavedQuery | undefined> {
    return savedQueries.getSavedQuery(this.#api, idOrName, options);
  }

  /**
   * Updates the given properties of the saved query with this ID or name.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if there is no such query.
   *
   * @example
   * ```ts
   * await client.updateSavedQuery('failures', { queryString: 'level=fatal' });
   * ```
   */
  updateSavedQuery(
    idOrName: string,
    options: savedQueries.UpdateSavedQueryOptions = {},
  ): Promise<SavedQuery> {
    return savedQueries.updateSavedQuery(this.#api, idOrName, options);
  }

  /**
   * Deletes the saved query with this ID or name.
   *
   * @returns false if there is no such query.
   *
   * @example
   * ```ts
   * const wasDeleted = await client.deleteSavedQuery('failures');
   * ```
   */
  deleteSavedQuery(idOrName: string, options: CallOptions = {}): Promise<boolean> {
    return savedQueries.deleteSavedQuery(this.#api, idOrName, options);
  }

  // Ingest tokens

  /** Returns the ingest tokens of the repository, in plain text. */
  listIngestTokens(options: CallOptions = {}): Promise<IngestToken[]> {
    return ingestTokens.listIngestTokens(this.#api, options);
  }

  /**
   * Creates an ingest token for the repository.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use.
   *
   * @example
   * ```ts
   * const { token } = await client.addIngestToken('checkout', { parser: 'json', ifExists: 'keep' });
   * ```
   */
  addIngestToken(name: string, options: ingestTokens.AddIngestTokenOptions = {}): Promise<IngestToken> {
    return ingestTokens.addIngestToken(this.#api, name, options);
  }

  /**
   * Assigns a parser, by name or ID, to events that arrive with the token.
   *
   * @example
   * ```ts
   * await client.assignParserToIngestToken('checkout', 'kv');
   * ```
   */
  assignParserToIngestToken(name: string, parser: string, options: CallOptions = {}): Promise<IngestToken> {
    return ingestTokens.assignParserToIngestToken(this.#api, name, parser, options);
  }

  /** Removes the parser of a token. Events are then parsed only if the sender names a parser. */
  unassignParserFromIngestToken(name: string, options: CallOptions = {}): Promise<void> {
    return ingestTokens.unassignParserFromIngestToken(this.#api, name, options);
  }

  /**
   * Deletes an ingest token. Requests with it are then rejected.
   *
   * @returns false if there is no such token.
   *
   * @example
   * ```ts
   * const wasRemoved = await client.removeIngestToken('checkout');
   * ```
   */
  removeIngestToken(name: string, options: CallOptions = {}): Promise<boolean> {
    return ingestTokens.removeIngestToken(this.#api, name, options);
  }

  // Parsers

  /** Returns the parsers of the repository, including built-in ones. */
  listParsers(options: CallOptions = {}): Promise<ParserSummary[]> {
    return parsers.listParsers(this.#api, options);
  }

  /**
   * Returns the parser with this name or ID, its script and its test cases, or undefined.
   *
   * @example
   * ```ts
   * const script = (await client.getParser('shop'))?.script;
   * ```
   */
  getParser(nameOrId: string, options: CallOptions = {}): Promise<Parser | undefined> {
    return parsers.getParser(this.#api, nameOrId, options);
  }

  /**
   * Creates a parser.
   *
   * @param script parser script in the query language.
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use, or `LOG_INVALID` if the script is
   * invalid.
   *
   * @example
   * ```ts
   * await client.createParser('shop', 'parseJson()', { fieldsToTag: ['service'], ifExists: 'update' });
   * ```
   */
  createParser(name: string, script: string, options: parsers.CreateParserOptions = {}): Promise<Parser> {
    return parsers.createParser(this.#api, name, script, options);
  }

  /**
   * Creates a parser from a YAML template, such as `yamlTemplate` of another parser. The name in the template is ignored.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use, or `LOG_INVALID` if the template
   * is invalid.
   *
   * @example
   * ```ts
   * const yaml = 'name: shop\nscript: parseJson()\n';
   * await client.createParserFromTemplate('shop', yaml, { ifExists: 'update' });
   * ```
   */
  createParserFromTemplate(name: string, yamlTemplate: string, options: CreateOptions = {}): Promise<Parser> {
    return parsers.createParserFromTemplate(this.#api, name, yamlTemplate, options);
  }

  /**
   * Runs a parser script on the lines of test cases, and returns one result per test case. Nothing is saved.
   *
   * @param testCases a test case without `outputAssertions` only fails if the parser does.
   * @throws LogException with the code `LOG_INVALID` if the script is invalid.
   *
   * @example
   * ```ts
   * const [result] = await client.testParser('parseJson()', [{ event: { rawString: '{"level":"error"}' } }]);
   * const level = result?.outputEvents[0]?.level;
   * ```
   */
  testParser(
    script: string,
    testCases: readonly ParserTestCaseInput[],
    options: parsers.TestParserOptions = {},
  ): Promise<ParserTestResult[]> {
    return parsers.testParser(this.#api, script, testCases, options);
  }

  /**
   * Updates the given properties of the parser with this name or ID.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if there is no such parser.
   *
   * @example
   * ```ts
   * await client.updateParser('shop', { script: 'kvParse()' });
   * ```
   */
  updateParser(nameOrId: string, options: parsers.UpdateParserOptions): Promise<Parser> {
    return parsers.updateParser(this.#api, nameOrId, options);
  }

  /**
   * Deletes the parser with this name or ID.
   *
   * @returns false if there is no such parser.
   *
   * @example
   * ```ts
   * const wasDeleted = await client.deleteParser('shop');
   * ```
   */
  deleteParser(nameOrId: string, options: CallOptions = {}): Promise<boolean> {
    return parsers.deleteParser(this.#api, nameOrId, options);
  }

  // Repositories and views

  /** Returns all repositories that the token can access. */
  listRepositories(options: CallOptions = {}): Promise<Repository[]> {
    return repositories.listRepositories(this.#api, options);
  }

  /** Returns all repositories and views that the token can access, with their kind. */
  listSearchDomains(options: CallOptions = {}): Promise<SearchDomainSummary[]> {
    return searchDomains.listSearchDomains(this.#api, options);
  }

  /**
   * Returns a repository with its retention, or undefined if it does not exist or the token can't access it.
   *
   * @example
   * ```ts
   * const days = (await client.getRepository('orders'))?.timeBasedRetention;
   * ```
   */
  getRepository(name: string, options: CallOptions = {}): Promise<RepositoryDetails | undefined> {
    return repositories.getRepository(this.#api, name, options);
  }

  /**
   * Returns a repository, or a view with its connections, or undefined if it does not exist or the token can't access
   * it.
   */
  getSearchDomain(name: string, options: CallOptions = {}): Promise<SearchDomainDetails | undefined> {
    return searchDomains.getSearchDomain(this.#api, name, options);
  }

  /**
   * Creates a repository with a default ingest token. With `ifExists: 'update'`, lowering the retention of an existing
   * repository permanently deletes the events beyond it.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if a repository or view has this name.
   *
   * @example
   * ```ts
   * await client.createRepository('orders', { timeBasedRetention: 30, ifExists: 'update' });
   * ```
   */
  createRepository(name: string, options: repositories.CreateRepositoryOptions = {}): Promise<Repository> {
    return repositories.createRepository(this.#api, name, options);
  }

  /**
   * Updates the retention limits of a repository. Omitted limits stay unchanged; `null` removes a limit. Lowering a
   * limit permanently deletes the events beyond it.
   *
   * @example
   * ```ts
   * await client.updateRetention('orders', { timeBasedRetention: 30, storageSizeBasedRetention: null });
   * ```
   */
  updateRetention(name: string, options: repositories.UpdateRetentionOptions): Promise<void> {
    return repositories.updateRetention(this.#api, name, options);
  }

  /**
   * Creates a view. A view has no events of its own: it shows the events of repositories that match a filter.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if a repository or view has this name.
   *
   * @example
   * ```ts
   * const connections = [{ repositoryName: 'orders', filter: 'level=error' }];
   * await client.createView('failed-orders', connections, { ifExists: 'update' });
   * ```
   */
  createView(
    name: string,
    connections: readonly ViewConnection[],
    options: searchDomains.CreateViewOptions = {},
  ): Promise<SearchDomain> {
    return searchDomains.createView(this.#api, name, connections, options);
  }

  /** Replaces the repositories and filters of a view. */
  updateView(
    name: string,
    connections: readonly ViewConnection[],
    options: CallOptions = {},
  ): Promise<SearchDomain> {
    return searchDomains.updateView(this.#api, name, connections, options);
  }

  /** Sets the description of a repository or view. */
  updateDescription(name: string, description: string, options: CallOptions = {}): Promise<void> {
    return searchDomains.updateDescription(this.#api, name, description, options);
  }

  /**
   * Deletes a repository with all its events, or a view. Deleting a view deletes no events.
   *
   * @returns false if there is no such repository or view.
   *
   * @example
   * ```ts
   * await client.deleteSearchDomain('failed-orders', { deleteMessage: 'unused' });
   * ```
   */
  deleteSearchDomain(name: string, options: searchDomains.DeleteSearchDomainOptions = {}): Promise<boolean> {
    return searchDomains.deleteSearchDomain(this.#api, name, options);
  }
}

function openCaller(auth: ResolvedAuth, connection: Parameters<typeof tokenCaller>[1]): WebCaller {
  if (auth.service === 'logscale') return tokenCaller(auth.token, connection, 'LOGSCALE_TOKEN');
  const { baseUrl, localServer, ...options } = connection;
  const followed = localServer && new FollowedServer(localServer, sameCredentials(auth.credentials));
  return new FalconCaller(baseUrl, auth.credentials, { ...options, followed });
}

/** Access tokens of Next-Gen SIEM belong to the credentials of one server. */
function sameCredentials({ clientSecret }: ResolvedCredentials) {
  return ({ url, variables }: FoundServer): Readonly<Record<string, string>> => {
    if (variables.FALCON_CLIENT_SECRET === clientSecret) return {};
    throw new LogConnectionException(
      `The local server at ${url} was restarted with other credentials. Restart this program.`,
    );
  };
}

function endpointsOf(repository: string): IngestEndpoints {
  return {
    structured: path`repositories/${repository}/ingest`,
    unstructured: path`repositories/${repository}/ingest-messages`,
  };
}
