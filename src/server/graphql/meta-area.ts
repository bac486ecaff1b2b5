import { MAX_LOOKUP_FILE_BYTES } from '../lookup-files/lookup-files.ts';
import { SERVICE_VERSION } from '../service-version.ts';
import { type GraphqlArea, type GraphqlContext, sameTypes } from './area.ts';

const CONFIG_SDL = 'version: String! maxCsvFileUploadSizeBytes: Long! maxJsonFileUploadSizeBytes: Long!';

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
    type BooleanResultType { result: Boolean! }
    ${sameTypes(['HumioMetadata', 'ClusterConfig'], CONFIG_SDL)}
    type AuthenticationMethod { name: String! }
    enum OrganizationMode { Single Multi MultiV2 }
    type LoginInfo { authenticationMethod: AuthenticationMethod! organizationMode: OrganizationMode! }

    type Query {
      clusterConfig: ClusterConfig!
      loginInfo: LoginInfo!
      meta(url: String): HumioMetadata! @deprecated(reason: "Use clusterConfig or loginInfo instead.")
    }

    enum LanguageVersionEnum { legacy xdr1 xdrdetects1 filteralert federated1 }
  `,
  operations: {
    clusterConfig: (_: unknown, context) => configOf(context),
    loginInfo: () => ({ authenticationMethod: { name: 'SingleUser' }, organizationMode: 'Single' }),
    meta: (_: unknown, context) => configOf(context),
  },
};

function configOf({ options }: GraphqlContext) {
  const maxBytes = Math.min(MAX_LOOKUP_FILE_BYTES, options.maxRequestBytes);
  return {
    version: SERVICE_VERSION,
    maxCsvFileUploadSizeBytes: maxBytes,
    maxJsonFileUploadSizeBytes: maxBytes,
  };
}
