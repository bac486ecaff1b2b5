import type { Organizations } from '../registries/organizations.ts';
import type { RepositoryDescriptions } from '../registries/repository-descriptions.ts';
import type { ServerContext } from '../server-context.ts';

/** What resolvers get beside their arguments. */
export interface GraphqlContext extends ServerContext {
  readonly organizations: Organizations;
  readonly descriptions: RepositoryDescriptions;
}

/**
 * Gives the value of one field. `never` lets every resolver declare the source and the arguments that the schema
 * promises it.
 */
export type Resolver = (source: never, args: never, context: GraphqlContext) => unknown;

/** A part of the schema with what answers it. */
export interface GraphqlArea {
  /** Schema definition language; queries and mutations are added with `extend type`. */
  readonly typeDefs: string;
  /** Resolvers by type and field; a field without one is read from its source by name. */
  readonly resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>>;
}

/** GraphQL has two ways to leave an argument out. */
export type Optional<Value> = Value | null | undefined;

/** `undefined` for both of them. */
export function given<Value>(value: Optional<Value>): Value | undefined {
  return value ?? undefined;
}
