import { compileQuery } from '../../query-engine/index.ts';
import { QueryTextError } from '../../query-language/index.ts';
import { MAX_LOOKUP_FILE_BYTES } from '../lookup-files/lookup-files.ts';
import { serverLibrary } from '../queries/repository-library.ts';
import { SERVICE_VERSION } from '../routes/status.ts';
import type { GraphqlArea, GraphqlContext, Optional } from './area.ts';

interface ValidateArguments {
  readonly queryString: string;
  readonly arguments?: Optional<readonly { readonly name: string; readonly value: string }[]>;
}

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

    enum LanguageVersionEnum {
      legacy
      xdr1
      xdrdetects1
      filteralert
      federated1
    }

    enum Severity {
      Error
      Warning
      Information
      Hint
    }

    input QueryArgument {
      name: String!
      value: String!
    }

    type QueryDiagnostic {
      message: String!
      code: String!
      severity: Severity!
    }

    type QueryValidationResult {
      isValid: Boolean!
      diagnostics: [QueryDiagnostic!]!
    }

    extend type Query {
      validateQuery(
        queryString: String!
        version: LanguageVersionEnum!
        isLive: Boolean
        arguments: [QueryArgument!]
      ): QueryValidationResult!
    }
  `,
  operations: {
    clusterConfig: (_: unknown, context) => configOf(context),
    loginInfo: () => ({ authenticationMethod: { name: 'SingleUser' }, organizationMode: 'Single' }),
    meta: (_: unknown, context) => configOf(context),
    validateQuery,
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

function validateQuery(
  { queryString, arguments: values }: ValidateArguments,
  { searchDomains }: GraphqlContext,
) {
  const given = Object.fromEntries((values ?? []).map(({ name, value }) => [name, value]));
  try {
    compileQuery(queryString, { arguments: given, library: serverLibrary(searchDomains) });
    return { isValid: true, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const message = `${error.message}\n${error.excerpt}`;
    return { isValid: false, diagnostics: [{ message, code: error.code, severity: 'Error' }] };
  }
}
