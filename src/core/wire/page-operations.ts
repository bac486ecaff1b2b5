/** The GraphQL operations of the web page that also exist behind `logclient ui`, which forwards no others. */
export const PAGE_OPERATIONS = {
  searchDomains: '{ searchDomains { __typename name } }',
  savedQueries:
    'query ($name: String!) { searchDomain(name: $name) { savedQueries { id name options query { queryString } } } }',
  createSavedQuery:
    'mutation ($input: CreateSavedQueryInput!) { createSavedQuery(input: $input) { savedQuery { id } } }',
  deleteSavedQuery:
    'mutation ($input: DeleteSavedQueryInput!) { deleteSavedQuery(input: $input) { result } }',
} as const;

/** Those that only a local server has. */
export const LOCAL_OPERATIONS = {
  ingestToken: 'query ($name: String!) { repository(name: $name) { ingestTokens { token } } }',
  repositorySize: 'query ($name: String!) { repository(name: $name) { uncompressedByteSize } }',
  /** The playground only. */
  testParser:
    'mutation ($input: ParserTestRunInput!) { testParserV2(input: $input) { __typename ... on ParserTestRunCompleted { results { outputEvents { fields { fieldName value } } } } ... on ParserTestRunAborted { errorMessage } } }',
  deleteEvents: 'mutation ($input: RedactEventsInputType!) { redactEvents(input: $input) }',
} as const;
