import { LogException, type LogHTTPException } from '../errors.ts';
import { requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import { CAPABILITIES, type ServiceKind } from '../web/service-kind.ts';
import type { RestCallOptions, WebCaller } from '../web/web-caller.ts';
import { badResponse, type WebResponse } from '../web/web-response.ts';
import { notSupported } from './support.ts';

/** Checks the value of an option and returns the value to send. Throws a LogOptionsException. */
export type Check = (owner: string, name: string, value: unknown) => unknown;

/** For options that the service checks. */
export const unchecked: Check = (_owner, _name, value) => value;

/** The checks of all options that a method has besides {@link CallOptions}. */
export type OptionChecks<Options> = {
  readonly [Name in Exclude<keyof Options, keyof CallOptions>]-?: Check;
};

/** Methods that exist on every kind of service. All others need GraphQL, or REST endpoints of LogScale. */
const WITHOUT_GRAPHQL = ['uploadFile', 'getFile'];

type Variables = Readonly<Record<string, unknown>>;

/** The API with the credentials and the repository of a client. Every method of a resource starts with {@link call}. */
export class Api implements RepositoryScope {
  readonly webCaller: WebCaller;
  readonly repository: string;
  readonly service: ServiceKind;

  constructor(webCaller: WebCaller, repository: string, service: ServiceKind) {
    this.webCaller = webCaller;
    this.repository = repository;
    this.service = service;
  }

  /**
   * Starts a call of a client method.
   *
   * @param owner name of the method, for messages.
   * @throws LogOptionsException for unknown options and invalid {@link CallOptions}
   * @throws LogException with the code `LOG_NOT_SUPPORTED` if this kind of service has no API for the method
   */
  call<Options extends CallOptions>(
    owner: string,
    options: Options,
    checks?: OptionChecks<Options>,
  ): ResourceCall {
    const call = new ResourceCall(this, owner, options, checks ?? {});
    if (!CAPABILITIES[this.service].graphql && !WITHOUT_GRAPHQL.includes(owner)) throw notSupported(owner);
    return call;
  }
}

/** One call of a client method: checks its arguments, sends requests, and picks its result out of the response. */
export class ResourceCall {
  readonly #api: Api;
  readonly #owner: string;
  readonly #options: object;
  readonly #checks: Readonly<Record<string, Check>>;
  readonly #callOptions: CallOptions;

  constructor(api: Api, owner: string, options: CallOptions, checks: Readonly<Record<string, Check>>) {
    this.#api = api;
    this.#owner = owner;
    this.#options = options;
    this.#checks = checks;
    this.#callOptions = resolveCallOptions(owner, options, Object.keys(checks));
  }

  /** Checks arguments that must be non-empty strings, and returns them. @throws LogOptionsException */
  texts<Name extends string>(values: Readonly<Record<Name, unknown>>): Record<Name, string> {
    for (const [name, value] of Object.entries(values)) requireText(this.#owner, name, value);
    return values as Record<Name, string>;
  }

  /** The same with the client's repository as `repository`: variables of most GraphQL documents. */
  inRepository<Name extends string = never>(values = {} as Readonly<Record<Name, unknown>>): Variables {
    return { repository: this.#api.repository, ...this.texts(values) };
  }

  /** Returns the method's own options that are set, checked. @throws LogOptionsException */
  given(): Record<string, unknown> {
    const options = this.#options as Readonly<Record<string, unknown>>;
    const given: Record<string, unknown> = {};
    for (const [name, check] of Object.entries(this.#checks)) {
      if (options[name] !== undefined) given[name] = check(this.#owner, name, options[name]);
    }
    return given;
  }

  /** Calls the REST API. */
  rest(verb: string, endpoint: string, options: RestCallOptions = {}): Promise<WebResponse> {
    return this.#api.webCaller.callRest(verb, endpoint, { ...this.#callOptions, ...options });
  }

  /** Calls the GraphQL API and returns `data` of the response. */
  graphql(query: string, variables?: Variables): Promise<Record<string, unknown>> {
    return this.#api.webCaller.callGraphql({ ...this.#callOptions, query, variables });
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
   * @throws LogException with the code `LOG_NOT_FOUND`
   */
  async found<T>(
    member: 'repository' | 'searchDomain',
    query: string,
    variables: Variables = this.inRepository(),
    name = this.#api.repository,
  ): Promise<T> {
    const domain = (await this.graphql(query, variables))[member];
    if (domain !== null && domain !== undefined) return domain as T;
    throw new LogException(
      `There is no repository or view ${JSON.stringify(name)}, or the token has no access to it.`,
      'LOG_NOT_FOUND',
    );
  }

  /** Returns a part of a GraphQL response. @throws LogHTTPException with the code `LOG_BAD_ANSWER` if it is missing */
  partOf<T>(data: unknown, place: string): T {
    let part = data;
    for (const member of place.split('.')) {
      part = (part as Readonly<Record<string, unknown>>)[member];
      if (part === undefined || part === null) throw this.#badAnswer(`has no "${place}"`);
    }
    return part as T;
  }

  /** The same for a list of objects. @throws LogHTTPException with the code `LOG_BAD_ANSWER` for anything else */
  listOf<Item>(data: unknown, place: string): Item[] {
    const list = this.partOf(data, place);
    if (isList(list)) return list as Item[];
    throw this.#badAnswer(`has a "${place}" that is not a list of objects`);
  }

  #badAnswer(problem: string): LogHTTPException {
    const path = new URL('graphql', this.#api.webCaller.baseUrl).pathname;
    return badResponse({ statusCode: 200, method: 'POST', path }, problem);
  }
}

/** Whether a value is a list of objects. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}
