import { MAX_LOOKUP_FILE_BYTES } from '../lookup-files/lookup-files.ts';
import { SERVICE_VERSION } from '../service-version.ts';
import type { GraphqlArea, GraphqlContext } from './area.ts';

/** What the server is, what it can take, and the types that all areas share. */
export const metaArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    "A whole number beyond 32 bits."
    scalar Long

    "ISO 8601."
    scalar DateTime

    "Any JSON value."
    scalar JSON

    "The name of a repository or view."
    scalar RepoOrViewName

    scalar YAML

    type BooleanResultType {
      result: Boolean!
    }

    type HumioMetadata {
      version: String!
      maxCsvFileUploadSizeBytes: Long!
      maxJsonFileUploadSizeBytes: Long!
    }

    type Query {
      meta: HumioMetadata!
    }
  `,
  resolvers: {
    Query: {
      meta: (_: unknown, __: unknown, context) => ({
        version: SERVICE_VERSION,
        maxCsvFileUploadSizeBytes: maxUploadBytes(context),
        maxJsonFileUploadSizeBytes: maxUploadBytes(context),
      }),
    },
  },
};

function maxUploadBytes({ options }: GraphqlContext): number {
  return Math.min(MAX_LOOKUP_FILE_BYTES, options.maxRequestBytes);
}
