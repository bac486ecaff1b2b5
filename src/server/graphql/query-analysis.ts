import { compileQuery, parseTimePoint, type QueryLibrary } from '../../engine/index.ts';
import { check, parse, QueryTextError, type Severity, walk } from '../../language/index.ts';
import { repositoryLibrary, serverLibrary } from '../queries/repository-library.ts';
import {
  type GraphqlArea,
  type GraphqlContext,
  type Input,
  type Optional,
  requireSearchDomain,
  sameTypes,
} from './area.ts';

type Arguments = Optional<readonly { readonly name: string; readonly value: string }[]>;

interface ValidateArguments {
  readonly queryString: string;
  readonly arguments?: Arguments;
}

interface AnalyzeArguments extends ValidateArguments {
  readonly viewName?: Optional<string>;
  readonly strict?: Optional<boolean>;
  readonly rejectFunctions?: Optional<readonly string[]>;
  readonly timeInterval?: Optional<{ readonly start?: Optional<string>; readonly end?: Optional<string> }>;
}

interface Diagnostic {
  readonly message: string;
  readonly code: string;
  readonly severity: 'Error' | 'Warning' | 'Information';
}

const SEVERITIES: Readonly<Record<Severity, Diagnostic['severity']>> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Information',
};

/** `validateQuery`, and `analyzeQuery`, which replaces it. */
export const queryAnalysisArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    enum Severity {
      Error
      Warning
      Information
      Hint
    }

    ${sameTypes(['QueryArgument', 'QueryArgumentInputType'], 'name: String! value: String!', 'input')}

    type QueryDiagnostic {
      message: String!
      code: String!
      severity: Severity!
    }

    type QueryValidationResult {
      isValid: Boolean!
      diagnostics: [QueryDiagnostic!]!
    }

    input QueryTimeInterval {
      start: String
      end: String
    }

    input AnalyzeQueryArguments {
      queryString: String!
      version: LanguageVersionInputType!
      isLive: Boolean
      arguments: [QueryArgumentInputType!]
      "The repository or view whose files and saved queries the query uses. Default: those of all."
      viewName: RepoOrViewName
      "Reports parameters without a value and unknown saved queries. Default: true."
      strict: Boolean
      rejectFunctions: [String!]
      timeInterval: QueryTimeInterval
    }

    type QueryDiagnosticInfoOutputType {
      message: String!
      code: String!
      severity: String!
    }

    type QueryValidationInfo {
      isValid: Boolean!
      diagnostics: [QueryDiagnosticInfoOutputType!]!
    }

    enum AlertType {
      LegacyAlert
      FilterAlert
      AggregateAlert
    }

    type SuggestedAlertTypeInfo {
      alertType: AlertType!
    }

    type AnalyzeQueryInfo {
      validateQuery: QueryValidationInfo!
      "null if the query is invalid."
      suggestedAlertType: SuggestedAlertTypeInfo
    }

    extend type Query {
      validateQuery(
        queryString: String!
        version: LanguageVersionEnum!
        isLive: Boolean
        arguments: [QueryArgument!]
      ): QueryValidationResult!
      analyzeQuery(input: AnalyzeQueryArguments!): AnalyzeQueryInfo!
    }
  `,
  operations: {
    validateQuery: ({ queryString, arguments: values }: ValidateArguments, { searchDomains }) => {
      const { diagnostics } = compiled(queryString, values, serverLibrary(searchDomains));
      return { isValid: diagnostics.length === 0, diagnostics };
    },
    analyzeQuery: ({ input }: Input<AnalyzeArguments>, context) => analyzeQuery(input, context),
  },
};

function analyzeQuery(input: AnalyzeArguments, context: GraphqlContext) {
  const { queryString, viewName, strict, rejectFunctions, timeInterval } = input;
  const isStrict = strict !== false;
  const library =
    viewName == null
      ? serverLibrary(context.searchDomains)
      : repositoryLibrary(requireSearchDomain(context, viewName), context.searchDomains);
  const { isAggregate, diagnostics } = compiled(
    queryString,
    input.arguments,
    isStrict ? library : { ...library, savedQuery: (name) => library.savedQuery(name) ?? '*' },
  );
  const errors = [...diagnostics, ...intervalErrors(timeInterval, context)];
  if (diagnostics.length === 0) {
    errors.push(...rejectedCalls(queryString, rejectFunctions ?? []));
    if (isStrict) errors.push(...missingArguments(queryString, input.arguments));
  }
  const isValid = errors.length === 0;
  const warnings = check(queryString)
    .filter(({ severity }) => severity !== 'error')
    .map(({ message, code, severity }) => ({ message, code, severity: SEVERITIES[severity] }));
  return {
    validateQuery: { isValid, diagnostics: [...errors, ...warnings] },
    suggestedAlertType: isValid ? { alertType: isAggregate ? 'AggregateAlert' : 'FilterAlert' } : null,
  };
}

function compiled(
  queryString: string,
  values: Arguments,
  library: QueryLibrary,
): { readonly isAggregate: boolean; readonly diagnostics: readonly Diagnostic[] } {
  const given = Object.fromEntries((values ?? []).map(({ name, value }) => [name, value]));
  try {
    const { isAggregate } = compileQuery(queryString, { arguments: given, library });
    return { isAggregate, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    return { isAggregate: false, diagnostics: [errorOf(`${error.message}\n${error.excerpt}`, error.code)] };
  }
}

function rejectedCalls(queryString: string, rejected: readonly string[]): readonly Diagnostic[] {
  const names = rejected.map((name) => name.toLowerCase());
  const found: Diagnostic[] = [];
  walk(parse(queryString), {
    Call({ name }) {
      if (!names.includes(name.toLowerCase())) return;
      found.push(errorOf(`The function ${name}() is not allowed here.`, 'FunctionRejected'));
    },
  });
  return found;
}

function missingArguments(queryString: string, values: Arguments): readonly Diagnostic[] {
  const known = new Set((values ?? []).map(({ name }) => name));
  const used = new Set<string>();
  walk(parse(queryString), {
    Parameter({ name, defaultValue }) {
      used.add(name);
      if (defaultValue !== undefined) known.add(name);
    },
  });
  return [...used]
    .filter((name) => !known.has(name))
    .map((name) => errorOf(`The parameter ?${name} has no value and no default.`, 'MissingArgument'));
}

function intervalErrors(
  interval: AnalyzeArguments['timeInterval'],
  { clock }: GraphqlContext,
): readonly Diagnostic[] {
  return Object.entries(interval ?? {}).flatMap(([name, value]) => {
    if (value == null) return [];
    try {
      parseTimePoint({ value, now: clock.now(), timeZone: 'UTC' });
      return [];
    } catch (error) {
      return [
        errorOf(`The ${name} of the time interval is invalid: ${(error as Error).message}`, 'InvalidTime'),
      ];
    }
  });
}

function errorOf(message: string, code: string): Diagnostic {
  return { message, code, severity: 'Error' };
}
