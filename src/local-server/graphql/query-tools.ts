import { compileQuery, type QueryLibrary } from '../../query-engine/index.ts';
import { QueryTextError } from '../../query-language/index.ts';
import { serverLibrary } from '../queries/repository-library.ts';
import type { GraphqlArea, Optional } from './area.ts';

interface ValidateArguments {
  readonly queryString: string;
  readonly arguments?: Optional<readonly { readonly name: string; readonly value: string }[]>;
}

interface Validation {
  readonly isValid: boolean;
  readonly diagnostics: readonly {
    readonly message: string;
    readonly code: string;
    readonly severity: 'Error';
  }[];
}

/** Tools for people who write queries. */
export const queryToolsArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
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
  resolvers: {
    Query: {
      validateQuery: (_: unknown, args: ValidateArguments, context) =>
        validate(args, serverLibrary(context.searchDomains)),
    },
  },
};

function validate({ queryString, arguments: given }: ValidateArguments, library: QueryLibrary): Validation {
  const values = Object.fromEntries((given ?? []).map(({ name, value }) => [name, value]));
  try {
    compileQuery(queryString, { arguments: values, library });
    return { isValid: true, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const message = `${error.message}\n${error.excerpt}`;
    return { isValid: false, diagnostics: [{ message, code: error.code, severity: 'Error' }] };
  }
}
