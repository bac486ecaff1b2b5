import { MAX_LOOKUP_FILE_BYTES } from '../lookup-files/lookup-files.ts';
import { SERVICE_VERSION } from '../service-version.ts';
import type { GraphqlArea, GraphqlContext } from './area.ts';

/** What the server is, how large files may be, and the types that all areas share. */
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

    type ClusterConfig {
      version: String!
      maxCsvFileUploadSizeBytes: Long!
      maxJsonFileUploadSizeBytes: Long!
    }

    type AuthenticationMethod {
      name: String!
    }

    enum OrganizationMode {
      Single
      Multi
      MultiV2
    }

    type LoginInfo {
      authenticationMethod: AuthenticationMethod!
      organizationMode: OrganizationMode!
    }

    type Query {
      clusterConfig: ClusterConfig!
      loginInfo: LoginInfo!
      meta(url: String): HumioMetadata! @deprecated(reason: "Use clusterConfig or loginInfo instead.")
    }
  `,
  resolvers: {
    Query: {
      clusterConfig: (_: unknown, __: unknown, context) => configOf(context),
      loginInfo: () => ({ authenticationMethod: { name: 'SingleUser' }, organizationMode: 'Single' }),
      meta: (_: unknown, __: unknown, context) => configOf(context),
    },
  },
};

function configOf(context: GraphqlContext) {
  return {
    version: SERVICE_VERSION,
    maxCsvFileUploadSizeBytes: maxUploadBytes(context),
    maxJsonFileUploadSizeBytes: maxUploadBytes(context),
  };
}

function maxUploadBytes({ options }: GraphqlContext): number {
  return Math.min(MAX_LOOKUP_FILE_BYTES, options.maxRequestBytes);
}
