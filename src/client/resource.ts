import { LogException, type LogExceptionCode, LogHTTPException } from '../core/errors.ts';
import { type CallOptions, resolveCallOptions } from '../core/http/call-options.ts';
import { isMissing } from '../core/http/graphql-call.ts';
import type { RestCallOptions } from '../core/http/http-caller.ts';
import type { WebCaller } from '../core/http/node/web-caller.ts';
import { path } from '../core/http/path.ts';
import type { RepositoryScope } from '../core/http/repository-scope.ts';
import type { RetryPlan } from '../core/http/retry.ts';
import { isLogScale, type ServiceKind } from '../core/http/service-kind.ts';
import { badResponse, type WebResponse } from '../core/http/web-response.ts';
import { type Check, requireOneOf, requireText } from '../core/option-checks.ts';
import { BaseLogClient } from './base-client.ts';
import { checkArguments, checkQuery } from './query/check-query.ts';
import { notSupported } from './support.ts';

/** What a method does if the name of the resource to create is already in use. */
export type IfExists = 'error' | 'keep' | 'update';

/** Options of every `create…` and `add…` method. */
export interface CreateOptions extends CallOptions {
  /**
   * Policy for an existing resource with the same name: `error` throws an exception, `keep` returns the existing
   * resource unchanged, and `update` sets the given properties and leaves all others as they are.
   *
   * @default 'error'
   */
  ifExists?: IfExists | undefined;
}

/** Check of {@link CreateOptions.ifExists}. */
export const requireIfExists: Check = (owner, name, value) =>
  requireOneOf(owner, name, value, ['error', 'keep', 'update']);

/** How {@link ResourceCall.createOr} creates, finds and updates a resource. */
interface Creation<T> {
  create(): Promise<T>;
  find(): Promise<T | undefined>;
  /** Omitted for a resource without properties to update. */
  update?(existing: T): Promise<T>;
}

/** An item of a list, which methods find by its name and, if it has one, its ID. */
interface Listed {
  readonly name: string;
  readonly id?: string | undefined;
  readonly isBuiltIn?: boolean | undefined;
}

/** For options that the service checks. */
export const unchecked: Check = (_owner, _name, value) => value;

/** The checks of all options that a method has besides {@link CallOptions}. */
export type OptionChecks<Options> = {
  readonly [Name in Exclude<keyof Options, keyof CallOptions>]-?: Check;
};

/** Methods that exist on every kind of service. All others need GraphQL, or REST endpoints of LogScale. */
const WITHOUT_GRAPHQL = ['uploadFile', 'getFile'];

type Variables = Readonly<Record<string, unknown>>;

/**
 * The base class of a client with a repository. The methods for each kind of resource are in a class of their own, which
 * extends the previous one; {@link LogClient} is the last.
 */
export abstract class ApiClient extends BaseLogClient {
  /** Repository or view that the client works with. */
  readonly repository: string;
  /** Kind of service that the client talks to. */
  readonly service: ServiceKind;
  /**
   * Where queries run.
   *
   * @internal
   */
  protected readonly scope: RepositoryScope;

  protected constructor(webCaller: WebCaller, repository: string, service: ServiceKind) {
    const endpoints = {
      structured: path`repositories/${repository}/ingest`,
      unstructured: path`repositories/${repository}/ingest-messages`,
    };
    super(webCaller, isLogScale(service) ? endpoints : undefined);
    this.repository = repository;
    this.service = service;
    const check = isLogScale(service) ? checkArguments : checkQuery;
    this.scope = { webCaller, repository, service, checkQuery: check };
  }

  /**
   * Starts a call of a client method. Every method of a resource starts with it.
   *
   * @param owner name of the method, for messages.
   * @throws LogOptionsException for unknown options and invalid {@link CallOptions}
   * @throws LogException with the code `LOG_NOT_SUPPORTED` if this kind of service has no API for the method
   *
   * @internal
   */
  protected call<Options extends CallOptions>(
    owner: string,
    options: Options,
    checks?: OptionChecks<Options>,
  ): ResourceCall {
    const call = new ResourceCall(this, owner, options, checks ?? {});
    if (!isLogScale(this.service) && !WITHOUT_GRAPHQL.includes(owner)) throw notSupported(owner);
    return call;
  }
}

/** One call of a client method: checks its arguments, sends requests, and picks its result out of the response. */
export class ResourceCall {
  readonly #client: ApiClient;
  /** Name of the method, for messages. */
  readonly owner: string;
  readonly #options: object;
  readonly #checks: Readonly<Record<string, Check>>;
  /** The options of the call without those of the method, for further calls. */
  readonly callOptions: CallOptions;

  constructor(
    client: ApiClient,
    owner: string,
    options: CallOptions,
    checks: Readonly<Record<string, Check>>,
  ) {
    this.#client = client;
    this.owner = owner;
    this.#options = options;
    this.#checks = checks;
    this.callOptions = resolveCallOptions(owner, options, Object.keys(checks));
  }

  /** Checks arguments that must be non-empty strings, and returns them. @throws LogOptionsException */
  texts<Name extends string>(values: Readonly<Record<Name, unknown>>): Record<Name, string> {
    for (const [name, value] of Object.entries(values)) requireText(this.owner, name, value);
    return values as Record<Name, string>;
  }

  /** The same with the client's repository as `repository`: variables of most GraphQL documents. */
  inRepository<Name extends string = never>(values = {} as Readonly<Record<Name, unknown>>): Variables {
    return { repository: this.#client.repository, ...this.texts(values) };
  }

  /** Returns the method's own options that are set or required, checked and without `ifExists`. @throws LogOptionsException */
  ownOptions(required: readonly string[] = []): Record<string, unknown> {
    const options = this.#options as Readonly<Record<string, unknown>>;
    const own: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(this.#checks)) {
      const isGiven = options[name] !== undefined || required.includes(name);
      if (isGiven) own[name] = check(this.owner, name, options[name]);
    }
    delete own.ifExists;
    return own;
  }

  /** Creates a resource, or treats an existing one as `ifExists` says. @throws LogOptionsException */
  async createOr<T>({ create, find, update }: Creation<T>): Promise<T> {
    const { ifExists = 'error' } = this.#options as CreateOptions;
    requireIfExists(this.owner, 'ifExists', ifExists);
    const settled = (existing: T): T | Promise<T> =>
      ifExists === 'update' && update !== undefined ? update(existing) : existing;
    const before = ifExists === 'error' ? undefined : await find();
    if (before !== undefined) return settled(before);
    try {
      return await create();
    } catch (error) {
      // Another program can create it between the two requests.
      const isTaken = error instanceof LogException && error.code === 'LOG_EXISTS';
      const other = isTaken && ifExists !== 'error' ? await find() : undefined;
      if (other === undefined) throw error;
      return settled(other);
    }
  }

  /**
   * Runs a request with a name or ID, the only member of `named`. If the service rejects the request, looks up the name in a list: the request may
   * need the ID, or there may be no such resource.
   *
   * @returns the result, or `absent` if the list has no such resource.
   * @throws LogOptionsException unless it is a non-empty string
   */
  async ifListed<T, Absent = undefined>(
    named: Readonly<Record<string, string>>,
    run: (idOrName: string) => Promise<T>,
    list: (options: CallOptions) => Promise<readonly Listed[]>,
    absent?: Absent,
  ): Promise<T | Absent> {
    const idOrName = Object.values(this.texts(named))[0]!;
    try {
      return await run(idOrName);
    } catch (error) {
      const isRejection = error instanceof LogException && (error.code === 'LOG_GRAPHQL' || isMissing(error));
      if (!isRejection) throw error;
      const listed = await list(this.callOptions);
      const found = listed.filter(({ id, name }) => id === idOrName || name === idOrName);
      const match = found.find(({ isBuiltIn }) => !isBuiltIn) ?? found[0];
      if (match === undefined) return absent as Absent;
      if (match.isBuiltIn) {
        const message = `${JSON.stringify(idOrName)} is built in: it can't be changed or deleted.`;
        throw this.rejection('LOG_INVALID', message);
      }
      if (match.id === idOrName) throw error;
      // A resource without an ID that is listed now was created in the meantime.
      if (match.id === undefined && error.code !== 'LOG_NOT_FOUND') throw error;
      return run(match.id ?? idOrName);
    }
  }

  /** Returns a value that exists. @throws LogHTTPException with the code `LOG_NOT_FOUND` for undefined */
  existing<T>(what: string, idOrName: string, value: T | undefined): T {
    if (value !== undefined) return value;
    const message = `There is no ${what} ${JSON.stringify(idOrName)} in ${JSON.stringify(this.#client.repository)}.`;
    throw this.rejection('LOG_NOT_FOUND', message);
  }

  /** The exception for what successful responses mean. */
  rejection(code: LogExceptionCode, message: string): LogHTTPException {
    return new LogHTTPException(message, { ...this.#answer, code });
  }

  /** Calls the REST API, reads the response with `read`, and retries. */
  rest<T>(
    verb: string,
    endpoint: string,
    read: (response: WebResponse) => Promise<T>,
    options: RestCallOptions = {},
    plan?: RetryPlan,
  ): Promise<T> {
    return this.#client.webCaller.readRest(verb, endpoint, { ...this.callOptions, ...options }, read, plan);
  }

  /** Calls the GraphQL API, retries, and returns `data` of the response. */
  graphql(query: string, variables?: Variables): Promise<Record<string, unknown>> {
    return this.#client.webCaller.callGraphql({ ...this.callOptions, query, variables });
  }

  /**
   * Calls the GraphQL API and returns a part of `data`.
   *
   * @param place path of the part, such as `createView` or `createSavedQuery.savedQuery`.
   * @throws LogHTTPException with the code `LOG_BAD_ANSWER` if the part is missing, for example because a proxy responded
   */
  async part<T>(place: string, query: string, variables?: Variables): Promise<T> {
    return this.partOf(await this.graphql(query, variables), place);
  }

  /**
   * Calls the GraphQL API and returns a member of `data` that is null if there is no such repository or view.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND`
   */
  async requireDomain<T>(
    member: 'repository' | 'searchDomain',
    query: string,
    variables: Variables = this.inRepository(),
    name = this.#client.repository,
  ): Promise<T> {
    const domain = (await this.graphql(query, variables))[member];
    if (domain !== null && domain !== undefined) return domain as T;
    const message = `There is no repository or view ${JSON.stringify(name)}, or the token has no access to it.`;
    throw this.rejection('LOG_NOT_FOUND', message);
  }

  /** Returns a part of a GraphQL response. @throws LogHTTPException with the code `LOG_BAD_ANSWER` if it is missing */
  partOf<T>(data: unknown, place: string): T {
    let part = data;
    for (const member of place.split('.')) {
      part = (part as Readonly<Record<string, unknown>>)[member];
      if (part === undefined || part === null) throw this.#unexpected(data, `has no "${place}"`);
    }
    return part as T;
  }

  /** The same for a list of objects. @throws LogHTTPException with the code `LOG_BAD_ANSWER` for anything else */
  listOf<Item>(data: unknown, place: string): Item[] {
    const list = this.partOf(data, place);
    if (isList(list)) return list as Item[];
    throw this.#unexpected(data, `has a "${place}" that is not a list of objects`);
  }

  /** Strings in the response can be tokens, so the exception has only the others. */
  #unexpected(data: unknown, problem: string): LogHTTPException {
    const body = JSON.stringify(data, (_, value) => (typeof value === 'string' ? '…' : value));
    return badResponse(this.#answer, problem, body.slice(0, 500));
  }

  /** The response to a GraphQL request, for exceptions. */
  get #answer() {
    const path = new URL('graphql', this.#client.webCaller.baseUrl).pathname;
    return { statusCode: 200, method: 'POST', path };
  }
}

/** Whether a value is a list of objects. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

/** Statuses of an endpoint that the token may not use, or that the service has removed. */
const WITHHELD = [403, 404, 405, 410];

/**
 * Calls the REST API, and GraphQL if REST is not available: only administrators of a whole installation may use these
 * endpoints, and the service is phasing them out.
 *
 * @throws the error of the REST call if both fail, unless only GraphQL says that something doesn't exist
 */
export async function restOrGraphql<Answer>(
  rest: () => Promise<Answer>,
  graphql: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await rest();
  } catch (error) {
    if (!(error instanceof LogHTTPException) || !WITHHELD.includes(error.statusCode)) throw error;
    return graphql().catch((second: unknown) => {
      // An aborted call throws the reason of the signal.
      if (!(second instanceof LogException)) throw second;
      throw isMissing(second) && error.statusCode !== 404 ? second : error;
    });
  }
}
