import { compileQuery } from '../../engine/index.ts';
import { QueryTextError } from '../../language/index.ts';
import { serverLibrary } from '../queries/repository-library.ts';
import type { GraphqlArea, GraphqlContext, Optional } from './area.ts';

interface ValidateArguments {
  readonly queryString: string;
  readonly arguments?: Optional<readonly { readonly name: string; readonly value: string }[]>;
}

/** `validateQuery`: whether a query can run. */
export const queryValidationArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    enum Severity { Error Warning Information Hint }
    input QueryArgument { name: String! value: String! }
    type QueryDiagnostic { message: String! code: String! severity: Severity! }
    type QueryValidationResult { isValid: Boolean! diagnostics: [QueryDiagnostic!]! }

    extend type Query {
      validateQuery(
        queryString: String!
        version: LanguageVersionEnum!
        isLive: Boolean
        arguments: [QueryArgument!]
      ): QueryValidationResult!
    }
  `,
  operations: { validateQuery },
};

function validateQuery({ queryString, arguments: values }: ValidateArguments, context: GraphqlContext) {
  const argumentsByName = Object.fromEntries((values ?? []).map(({ name, value }) => [name, value]));
  try {
    compileQuery(queryString, { arguments: argumentsByName, library: serverLibrary(context.searchDomains) });
    return { isValid: true, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const { message, excerpt, code } = error;
    return { isValid: false, diagnostics: [{ message: `${message}\n${excerpt}`, code, severity: 'Error' }] };
  }
}
