import { viewSentence } from '../../core/view-sentence.ts';
import type { DomainSettings } from '../registries/domain-settings.ts';
import type { Organizations } from '../registries/organizations.ts';
import { missing } from '../registries/resource-error.ts';
import { Repository } from '../repository.ts';
import type { LogscaleContext, ServerContext } from '../server-context.ts';
import type { View } from '../views/view.ts';

export interface GraphqlContext extends LogscaleContext {
  readonly organizations: Organizations;
  readonly domainSettings: DomainSettings;
  /** Address of the server, as seen by the client. */
  readonly origin: string;
}

/** Performs a query or mutation. `never` allows each one to declare the arguments that the schema guarantees. */
export type Operation = (args: never, context: GraphqlContext) => unknown;

/** A part of the schema, with its queries and mutations by name. */
export interface GraphqlArea {
  /** Schema definition language; queries and mutations are added with `extend type`. */
  readonly typeDefs: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

/** The definitions of types that have the same members. */
export function sameTypes(names: readonly string[], members: string): string {
  return names.map((name) => `type ${name} { ${members} }`).join('\n');
}

/** Clients can omit an argument or send `null`. */
export type Optional<Value> = Value | null | undefined;

export interface Input<Value> {
  readonly input: Value;
}

/** @throws ResourceError unless there is a repository with this name */
export function requireRepository(context: ServerContext, name: string): Repository {
  const domain = requireSearchDomain(context, name);
  if (domain instanceof Repository) return domain;
  throw missing(viewSentence(domain), 'name');
}

/** @throws ResourceError unless there is a repository or view with this name */
export function requireSearchDomain({ searchDomains }: ServerContext, name: string): Repository | View {
  const domain = searchDomains.get(name);
  if (domain !== undefined) return domain;
  const message = `Could not find a repository or view with the name ${JSON.stringify(name.slice(0, 100))}.`;
  throw missing(message, 'name');
}
