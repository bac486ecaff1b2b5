import type { LiveQueryJob } from '../query/live-query-job.ts';
import type { PollResult } from '../query/poll-result.ts';
import { type QueryText, queryStringOf } from '../query/query-fragment.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { createQueryJob, type RunQueryOptions, runQuery } from '../query/run-query.ts';
import type { StaticQueryJob } from '../query/static-query-job.ts';
import { streamingQuery } from '../query/streaming-query.ts';
import type { LiveQueryOptions } from '../tail/live-query-options.ts';
import { tail } from '../tail/tail.ts';
import type { TailOptions } from '../tail/tail-options.ts';
import { type WaitForCondition, type WaitForOptions, waitFor } from '../tail/wait-for.ts';
import { watch } from '../tail/watch.ts';
import type { CallOptions } from '../web/call-options.ts';
import { path } from '../web/path.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { LookupFile, LookupFileContent } from '../wire/files.ts';
import type { IngestToken } from '../wire/ingest-tokens.ts';
import type { Organization } from '../wire/organizations.ts';
import type { Parser, ParserSummary } from '../wire/parsers.ts';
import type { LogEvent } from '../wire/query.ts';
import type { QueryValidation } from '../wire/query-validation.ts';
import type {
  Repository,
  RepositoryDetails,
  SearchDomain,
  SearchDomainDetails,
  SearchDomainSummary,
  ViewConnection,
} from '../wire/repositories.ts';
import type { SavedQuery } from '../wire/saved-queries.ts';
import type { ServiceStatus } from '../wire/status.ts';
import type { User, UserDetails } from '../wire/users.ts';
import { BaseLogClient } from './base-client.ts';
import { type LogClientOptions, resolveLogClientOptions } from './client-options.ts';
import * as contents from './file-contents.ts';
import * as files from './files.ts';
import * as ingestTokens from './ingest-tokens.ts';
import * as organizations from './organizations.ts';
import * as parsers from './parsers.ts';
import * as queryValidation from './query-validation.ts';
import * as repositories from './repositories.ts';
import * as savedQueries from './saved-queries.ts';
import * as searchDomains from './search-domains.ts';
import { getStatus } from './status.ts';
import * as userDetails from './user-details.ts';
import * as users from './users.ts';

/**
 * A client with full access to the service, on behalf of a user. To ingest only, {@link LogIngestClient} needs less
 * rights.
 *
 * Every method takes `headers`, `signal` and `timeoutMs` among its options, checks its arguments before it sends
 * anything (LogOptionsException), and otherwise throws a LogHTTPException, LogConnectionException or
 * LogTimeoutException. An aborted call throws the signal's own reason.
 */
export class LogClient extends BaseLogClient {
  /** The repository or view that the client works with. */
  readonly repository: string;
  readonly #scope: RepositoryScope;

  /** @throws LogOptionsException */
  constructor(options: LogClientOptions = {}) {
    const { repository, token, connection } = resolveLogClientOptions(options);
    super(token, connection, {
      structured: path`repositories/${repository}/ingest`,
      unstructured: path`repositories/${repository}/ingest-messages`,
    });
    this.repository = repository;
    this.#scope = { webCaller: this.webCaller, repository };
  }

  // Queries

  /**
   * Starts a query on the service, to be polled for its results. Right for live queries and small results.
   *
   * @throws LogQueryException if the service refuses the query
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
    return createQueryJob<Row>(this.#scope, queryStringOf(queryString), options);
  }

  /**
   * Yields a query's results as the service finds them; right for large results. `timeoutMs` covers the wait for the
   * beginning of the answer, which for an aggregate query is its end. Leaving the loop ends the query.
   *
   * @throws LogQueryException if the service refuses the query
   * @throws LogConnectionDroppedException if the answer breaks off. For a live query see {@link tail}.
   */
  streamingQuery<Row extends object = LogEvent>(
    queryString: QueryText,
    options: QueryOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    return streamingQuery<Row>(this.#scope, queryStringOf(queryString), options);
  }

  /**
   * All rows of a static query; events come newest first. What the query itself limits, such as `sort()` and `table()`
   * to 200 rows, stays limited. More than 200 events take further requests, of 200 events each; `limit` sets a bound.
   *
   * Aborting deletes the query on the service.
   *
   * @throws LogQueryException if the service refuses the query
   * @throws LogException with the code `LOG_CANNOT_PAGE` for more than 200 events of a query that takes `@id` or
   * `@timestamp` away, if the service does not stream more of them either
   */
  async query<Row extends object = LogEvent>(
    queryString: QueryText,
    options: RunQueryOptions = {},
  ): Promise<Row[]> {
    return runQuery<Row>(this.#scope, queryStringOf(queryString), options);
  }

  /** Whether the service can run a query, and if not, why. */
  async validateQuery(
    queryString: QueryText,
    options: queryValidation.ValidateQueryOptions = {},
  ): Promise<QueryValidation> {
    return queryValidation.validateQuery(this.webCaller, queryStringOf(queryString), options);
  }

  // Live results

  /**
   * Yields the events of a query as they arrive, each once, across dropped connections and restarts of the service. Is
   * read as fast as the loop goes. Ends with `signal` (quietly) or with the loop.
   */
  tail<Row extends object = LogEvent>(
    queryString: QueryText,
    options: TailOptions = {},
  ): AsyncGenerator<Row, void, undefined> {
    return tail<Row>(this, queryStringOf(queryString), options);
  }

  /**
   * Yields the result of a live query, aggregates included, each time that it has changed. Until `isDone` of a result is
   * true, the service searches the past, and the result is what it has found so far; see `progress`.
   */
  watch<Row extends object = LogEvent>(
    queryString: QueryText,
    options: LiveQueryOptions = {},
  ): AsyncGenerator<PollResult<Row>, void, undefined> {
    return watch<Row>(this, queryStringOf(queryString), options);
  }

  /**
   * Waits until a query has a number of rows, or rows that fulfil a condition, and returns them.
   *
   * @param condition @default 1 row
   * @throws LogWaitTimeoutException with the last rows after `timeoutMs`
   */
  async waitFor<Row extends object = LogEvent>(
    queryString: QueryText,
    condition?: WaitForCondition<Row>,
    options: WaitForOptions = {},
  ): Promise<Row[]> {
    return waitFor<Row>(this, queryStringOf(queryString), condition, options);
  }

  // The service

  /** The service's state and version. One that is down and says so is an answer, not an error. */
  getStatus(options: CallOptions = {}): Promise<ServiceStatus> {
    return getStatus(this.webCaller, options);
  }

  // Users

  /** All users of the service, or of the organization where the token may see no more. */
  getUsers(options: CallOptions = {}): Promise<User[]> {
    return users.getUsers(this.webCaller, options);
  }

  /** The user with exactly this email address, if there is one. */
  getUserByEmail(email: string, options: CallOptions = {}): Promise<User | undefined> {
    return users.getUserByEmail(this.webCaller, email, options);
  }

  /** Creates a user; one that exists already stays. */
  createUser(email: string, options: users.CreateUserOptions = {}): Promise<User> {
    return users.createUser(this.webCaller, email, options);
  }

  /**
   * Deletes a user.
   *
   * @returns the deleted user, or undefined if there is none with this email address.
   */
  deleteUserByEmail(email: string, options: CallOptions = {}): Promise<User | undefined> {
    return users.deleteUserByEmail(this.webCaller, email, options);
  }

  /**
   * Deletes a user.
   *
   * @returns the deleted user, where the service tells it.
   */
  deleteUserById(userId: string, options: CallOptions = {}): Promise<User | undefined> {
    return users.deleteUserById(this.webCaller, userId, options);
  }

  /** All that is known of the user with this id, if there is one. */
  getUser(userId: string, options: CallOptions = {}): Promise<UserDetails | undefined> {
    return userDetails.getUser(this.webCaller, userId, options);
  }

  /** The user whom the token belongs to. */
  getCurrentUser(options: CallOptions = {}): Promise<UserDetails> {
    return userDetails.getCurrentUser(this.webCaller, options);
  }

  /**
   * Changes what the options name of the user with this id; the rest stays.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL` if there is no such user, or another one has the user name.
   */
  updateUser(userId: string, options: userDetails.UpdateUserOptions): Promise<UserDetails> {
    return userDetails.updateUser(this.webCaller, userId, options);
  }

  // Organizations

  /** The organization that the token belongs to. */
  getOrganization(options: CallOptions = {}): Promise<Organization> {
    return organizations.getOrganization(this.webCaller, options);
  }

  /** All organizations of the service, without their descriptions. Takes the right to administer it. */
  listOrganizations(options: CallOptions = {}): Promise<Organization[]> {
    return organizations.listOrganizations(this.webCaller, options);
  }

  /** Creates an organization with nobody in it. Takes the right to administer the service. */
  createOrganization(
    name: string,
    options: organizations.CreateOrganizationOptions = {},
  ): Promise<Organization> {
    return organizations.createOrganization(this.webCaller, name, options);
  }

  // Lookup files

  /** The lookup files of the repository or view. */
  listFiles(options: CallOptions = {}): Promise<LookupFile[]> {
    return files.listFiles(this.#scope, options);
  }

  /** Creates an empty file. */
  createFile(name: string, options: CallOptions = {}): Promise<LookupFileContent> {
    return files.createFile(this.#scope, name, options);
  }

  /** Uploads a file from the disk, or a content under a name. Replaces a file of the same name. */
  uploadFile(file: string | files.UploadContent, options: CallOptions = {}): Promise<void> {
    return files.uploadFile(this.#scope, file, options);
  }

  /** The whole file: as text if an `encoding` is given, else its bytes. */
  getFile(name: string, options: files.GetFileOptions & { encoding: string }): Promise<string>;
  getFile(name: string, options?: files.GetFileOptions & { encoding?: undefined }): Promise<Uint8Array>;
  getFile(name: string, options?: files.GetFileOptions): Promise<string | Uint8Array>;
  getFile(name: string, options: files.GetFileOptions = {}): Promise<string | Uint8Array> {
    return files.getFile(this.#scope, name, options);
  }

  /**
   * Deletes a lookup file.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL` if there is no such file.
   */
  deleteFile(name: string, options: CallOptions = {}): Promise<boolean> {
    return files.deleteFile(this.#scope, name, options);
  }

  /** Rows of a CSV file. */
  getFileContent(name: string, options: contents.GetFileContentOptions = {}): Promise<LookupFileContent> {
    return contents.getFileContent(this.#scope, name, options);
  }

  /**
   * Replaces the rows of a CSV file from `offset` to `offset + limit` by `changedRows`, be they fewer or more.
   *
   * @param headers the names of all columns, as they are to be after the change.
   */
  addFileContents(
    name: string,
    headers: readonly string[],
    changedRows: readonly (readonly string[])[],
    options: contents.AddFileContentsOptions = {},
  ): Promise<LookupFileContent> {
    return contents.addFileContents(this.#scope, name, headers, changedRows, options);
  }

  /** Removes the rows of a CSV file from `offset` to `offset + limit`. */
  removeFileContents(name: string, options: contents.RowWindowOptions = {}): Promise<LookupFileContent> {
    return contents.removeFileContents(this.#scope, name, options);
  }

  // Saved queries

  /** Keeps a query under a name. */
  async createSavedQuery(
    name: string,
    queryString: QueryText,
    options: savedQueries.SavedQueryOptions = {},
  ): Promise<SavedQuery> {
    return savedQueries.createSavedQuery(this.#scope, name, queryStringOf(queryString), options);
  }

  /**
   * The saved queries of the repository.
   *
   * @throws LogException with the code `LOG_NOT_FOUND` if there is no such repository or view.
   */
  listSavedQueries(options: CallOptions = {}): Promise<SavedQuery[]> {
    return savedQueries.listSavedQueries(this.#scope, options);
  }

  /**
   * One saved query.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL` if there is no query of this id.
   */
  getSavedQuery(id: string, options: CallOptions = {}): Promise<SavedQuery> {
    return savedQueries.getSavedQuery(this.#scope, id, options);
  }

  /** Changes what the options name; the rest stays. */
  updateSavedQuery(id: string, options: savedQueries.UpdateSavedQueryOptions = {}): Promise<SavedQuery> {
    return savedQueries.updateSavedQuery(this.#scope, id, options);
  }

  /**
   * Deletes a saved query.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL` if there is no query of this id.
   */
  deleteSavedQuery(id: string, options: CallOptions = {}): Promise<boolean> {
    return savedQueries.deleteSavedQuery(this.#scope, id, options);
  }

  // Ingest tokens

  /** The ingest tokens of the repository, in clear. */
  listIngestTokens(options: CallOptions = {}): Promise<IngestToken[]> {
    return ingestTokens.listIngestTokens(this.#scope, options);
  }

  /** Creates a token that may only ingest, into the repository. */
  addIngestToken(name: string, options: ingestTokens.AddIngestTokenOptions = {}): Promise<IngestToken> {
    return ingestTokens.addIngestToken(this.#scope, name, options);
  }

  /** From now on `parser` parses what comes with the token. */
  assignParserToIngestToken(name: string, parser: string, options: CallOptions = {}): Promise<IngestToken> {
    return ingestTokens.assignParserToIngestToken(this.#scope, name, parser, options);
  }

  /** From now on nothing but the sender's own choice parses what comes with the token. */
  unassignParserFromIngestToken(name: string, options: CallOptions = {}): Promise<void> {
    return ingestTokens.unassignParserFromIngestToken(this.#scope, name, options);
  }

  /** What comes with the token from now on is refused. */
  removeIngestToken(name: string, options: CallOptions = {}): Promise<boolean> {
    return ingestTokens.removeIngestToken(this.#scope, name, options);
  }

  // Parsers

  /** The parsers of the repository, those that are built in among them. */
  listParsers(options: CallOptions = {}): Promise<ParserSummary[]> {
    return parsers.listParsers(this.#scope, options);
  }

  /** The parser of this name with its script, if there is one. */
  getParser(name: string, options: CallOptions = {}): Promise<Parser | undefined> {
    return parsers.getParser(this.#scope, name, options);
  }

  /**
   * Creates a parser.
   *
   * @param script in the query language.
   * @throws LogHTTPException with the code `LOG_GRAPHQL` if the name is taken, or the script can't run.
   */
  createParser(name: string, script: string, options: parsers.CreateParserOptions = {}): Promise<Parser> {
    return parsers.createParser(this.#scope, name, script, options);
  }

  /** Changes what the options name; the rest stays. */
  updateParser(id: string, options: parsers.UpdateParserOptions): Promise<Parser> {
    return parsers.updateParser(this.#scope, id, options);
  }

  /**
   * Deletes a parser.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL` if there is no parser of this id.
   */
  deleteParser(id: string, options: CallOptions = {}): Promise<boolean> {
    return parsers.deleteParser(this.#scope, id, options);
  }

  // Repositories and views

  /** All repositories that the token may see. */
  listRepositories(options: CallOptions = {}): Promise<Repository[]> {
    return repositories.listRepositories(this.webCaller, options);
  }

  /** All repositories and views that the token may see, and which of the two each is. */
  listSearchDomains(options: CallOptions = {}): Promise<SearchDomainSummary[]> {
    return searchDomains.listSearchDomains(this.webCaller, options);
  }

  /**
   * A repository with its retention.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL`, or LogException with `LOG_NOT_FOUND`, if there is none.
   */
  getRepository(name: string, options: CallOptions = {}): Promise<RepositoryDetails> {
    return repositories.getRepository(this.webCaller, name, options);
  }

  /**
   * A repository, or a view with its connections.
   *
   * @throws LogHTTPException with the code `LOG_GRAPHQL`, or LogException with `LOG_NOT_FOUND`, if there is none.
   */
  getSearchDomain(name: string, options: CallOptions = {}): Promise<SearchDomainDetails> {
    return searchDomains.getSearchDomain(this.webCaller, name, options);
  }

  /** Creates a repository; with it comes a default ingest token. */
  createRepository(name: string, options: repositories.CreateRepositoryOptions = {}): Promise<Repository> {
    return repositories.createRepository(this.webCaller, name, options);
  }

  /**
   * Changes when the events of a repository are deleted. A limit that is left out stays, `null` takes it away.
   * A shorter retention deletes what is older, and nothing brings that back.
   */
  updateRetention(name: string, options: repositories.UpdateRetentionOptions): Promise<void> {
    return repositories.updateRetention(this.webCaller, name, options);
  }

  /** Creates a view, which has no events of its own: it shows those of repositories that match a filter. */
  createView(
    name: string,
    connections: readonly ViewConnection[],
    options: searchDomains.CreateViewOptions = {},
  ): Promise<SearchDomain> {
    return searchDomains.createView(this.webCaller, name, connections, options);
  }

  /** Shows other repositories, or with other filters, in a view from now on. */
  updateView(
    name: string,
    connections: readonly ViewConnection[],
    options: CallOptions = {},
  ): Promise<SearchDomain> {
    return searchDomains.updateView(this.webCaller, name, connections, options);
  }

  /** Sets what a repository or view is for, for people. */
  updateDescription(name: string, description: string, options: CallOptions = {}): Promise<void> {
    return searchDomains.updateDescription(this.webCaller, name, description, options);
  }

  /** Deletes a repository or view with everything in it. Of a view that is not the events. */
  deleteSearchDomain(name: string, options: searchDomains.DeleteSearchDomainOptions = {}): Promise<boolean> {
    return searchDomains.deleteSearchDomain(this.webCaller, name, options);
  }
}
