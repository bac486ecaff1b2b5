import {
  buildSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';

/** The part of the service's GraphQL schema that the client uses, with the service's names and nullability. */
const SCHEMA = buildSchema(`
  scalar Long
  scalar DateTime
  scalar RepoOrViewName
  scalar YAML

  type Query {
    searchDomain(name: String!): SearchDomain!
    searchDomains(searchFilter: String, limit: Int): [SearchDomain!]!
    repository(name: String!): Repository!
    repositories: [Repository!]!
    user(id: String!): User
    currentUser: User!
    organization: Organization!
    searchOrganizations(searchFilter: String, sortBy: OrganizationsSortBy!, skip: Int, limit: Int): OrganizationSearchResultSet!
    getFileContent(name: String!, fileName: String!, offset: Int, limit: Int, filterString: String): UploadedFileSnapshot!
    validateQuery(queryString: String!, version: LanguageVersionEnum!, isLive: Boolean, arguments: [QueryArgument!]): QueryValidationResult!
    generateParserFromTemplate(input: GenerateParserFromTemplateInput!): UnsavedParser!
  }

  type Mutation {
    newFile(fileName: String!, name: String!): UploadedFileSnapshot!
    updateFile(fileName: String!, name: String!, changedRows: [[String!]!]!, headers: [String!]!, columnChanges: [ColumnChange!]!, limit: Int, offset: Int): UploadedFileSnapshot!
    removeFile(fileName: String!, name: String!): BooleanResultType!
    createSavedQuery(input: CreateSavedQueryInput!): SavedQueryPayload!
    updateSavedQuery(input: UpdateSavedQueryInput!): SavedQueryPayload!
    deleteSavedQuery(input: DeleteSavedQueryInput!): BooleanResultType!
    addIngestTokenV3(input: AddIngestTokenV3Input!): IngestToken!
    assignParserToIngestTokenV2(input: AssignParserToIngestTokenV2Input!): IngestToken!
    removeIngestToken(repositoryName: String!, name: String!): BooleanResultType!
    createParserV2(input: CreateParserInputV2!): Parser!
    createParserFromTemplate(input: CreateParserFromTemplateInput!): Parser!
    testParserV2(input: ParserTestRunInput!): ParserTestRunOutput!
    deleteParser(input: DeleteParserInput!): BooleanResultType!
    createRepository(name: String!, description: String, retentionInMillis: Long, retentionInIngestSizeBytes: Long, retentionInStorageSizeBytes: Long, type: String): CreateRepositoryMutation!
    updateRetention(repositoryName: String!, timeBasedRetention: Float, ingestSizeBasedRetention: Float, storageSizeBasedRetention: Float): UpdateRetentionMutation!
    updateView(viewName: String!, connections: [ViewConnectionInput!]!): View!
    updateDescriptionForSearchDomain(name: String!, newDescription: String!): UpdateDescriptionMutation!
    updateParserV2(input: UpdateParserInputV2!): Parser!
    unassignIngestToken(repositoryName: String!, tokenName: String!): UnassignIngestTokenMutation!
    updateUserById(input: UpdateUserByIdInput!): UpdateUserByIdMutation!
    createView(name: String!, description: String, connections: [ViewConnectionInput!]): View!
    deleteSearchDomain(name: String!, deleteMessage: String): BooleanResultType!
    redactEvents(input: RedactEventsInputType!): String!
    createEmptyOrganization(name: String!, description: String, organizationId: String, subdomain: String, cid: String): Organization!
  }

  input RedactEventsInputType { repositoryName: String! start: DateTime! end: DateTime! query: String! userMessage: String }

  interface SearchDomain { id: String! name: RepoOrViewName! description: String files: [File!]! savedQueries: [SavedQuery!]! savedQuery(id: String!): SavedQuery! automaticSearch: Boolean! }
  type Repository implements SearchDomain {
    id: String! name: RepoOrViewName! description: String files: [File!]! savedQueries: [SavedQuery!]!
    savedQuery(id: String!): SavedQuery! automaticSearch: Boolean!
    ingestTokens: [IngestToken!]! parsers: [Parser!]! parser(id: String, name: String): Parser timeBasedRetention: Float
    ingestSizeBasedRetention: Float storageSizeBasedRetention: Float compressedByteSize: Long!
  }
  type View implements SearchDomain {
    id: String! name: RepoOrViewName! description: String files: [File!]! savedQueries: [SavedQuery!]!
    savedQuery(id: String!): SavedQuery! automaticSearch: Boolean! connections: [ViewConnection!]!
  }
  type ViewConnection { repository: Repository! filter: String! }
  type FileNameAndPath { name: String! path: String }
  type File {
    nameAndPath: FileNameAndPath! contentHash: String! createdAt: DateTime! createdBy: String! modifiedAt: DateTime!
    modifiedBy: String! fileSizeBytes: Long packageId: String resource: String!
  }
  type UploadedFileSnapshot {
    nameAndPath: FileNameAndPath! headers: [String!]! lines: [[String!]!]! totalLinesCount: Long! limit: Int!
    offset: Int! filterString: String resource: String!
  }
  type SavedQuery { id: String! name: String! displayName: String! description: String query: HumioQuery! }
  type HumioQuery { queryString: String! start: String! end: String! isLive: Boolean! arguments: [Argument!]! }
  type Argument { key: String! value: String! }
  type SavedQueryPayload { savedQuery: SavedQuery! }
  type IngestToken { name: String! token: String! parser: Parser }
  type Parser {
    id: String! name: String! displayName: String! isBuiltIn: Boolean! script: String! fieldsToTag: [String!]!
    fieldsToBeRemovedBeforeParsing: [String!]! yamlTemplate: YAML! testCases: [ParserTestCase!]!
  }
  type UnsavedParser {
    name: String! description: String script: String! fieldsToTag: [String!]! fieldsToBeRemovedBeforeParsing: [String!]!
    testCases: [ParserTestCase!]!
  }
  type ParserTestCase { event: ParserTestEvent! outputAssertions: [ParserTestCaseAssertionsForOutput!]! }
  type ParserTestEvent { rawString: String! }
  type ParserTestCaseAssertionsForOutput { outputEventIndex: Int! assertions: ParserTestCaseOutputAssertions! }
  type ParserTestCaseOutputAssertions { fieldsNotPresent: [String!]! fieldsHaveValues: [FieldHasValue!]! }
  type FieldHasValue { fieldName: String! expectedValue: String! }
  union ParserTestRunOutput = ParserTestRunCompleted | ParserTestRunAborted
  type ParserTestRunCompleted { results: [ParserTestCaseResult!]! }
  type ParserTestRunAborted { errorMessage: String! }
  type ParserTestCaseResult { outputEvents: [OutputEvent!]! outputFailures: [ParserTestCaseFailuresForOutput!]! }
  type OutputEvent { fields: [EventField!]! }
  type EventField { fieldName: String! value: String! }
  type ParserTestCaseFailuresForOutput { outputEventIndex: Int! failures: ParserTestCaseOutputFailures! }
  type ParserTestCaseOutputFailures {
    parsingErrors: [String!]! assertionFailuresOnFields: [AssertionFailureOnField!]! falselyTaggedFields: [String!]!
    arraysWithGaps: [ArrayWithGap!]!
  }
  union AssertionFailureOnField = FieldUnexpectedlyPresent | FieldHadUnexpectedValue | FieldHadConflictingAssertions | AssertionOnFieldWasOrphaned
  type FieldUnexpectedlyPresent { fieldName: String! actualValue: String! }
  type FieldHadUnexpectedValue { fieldName: String! expectedValue: String! actualValue: String }
  type FieldHadConflictingAssertions { fieldName: String! }
  type AssertionOnFieldWasOrphaned { fieldName: String! }
  type ArrayWithGap { lastValidPrefix: String! gaps: [ArrayGap!]! }
  type ArrayGap { startsAtIndex: Int! endsAtIndex: Int! }
  type User {
    id: String! username: String! displayName: String! fullName: String firstName: String lastName: String email: String
    phoneNumber: String picture: String company: String countryCode: String stateCode: String isRoot: Boolean!
    isOrgRoot: Boolean! createdAt: DateTime!
  }
  type UpdateUserByIdMutation { user: User! }
  type UpdateRetentionMutation { repository: SearchDomain! }
  type UpdateDescriptionMutation { description: String! }
  type UnassignIngestTokenMutation { repository: Repository! }
  type CreateRepositoryMutation { repository: Repository! }
  type BooleanResultType { result: Boolean! }
  type Organization { id: String! name: String! description: String }
  type OrganizationSearchResultSet { totalResults: Int! results: [OrganizationSearchResultEntry!]! }
  type OrganizationSearchResultEntry { organizationId: String! organizationName: String! }
  type QueryValidationResult { isValid: Boolean! diagnostics: [QueryDiagnostic!]! }
  type QueryDiagnostic { message: String! code: String! severity: Severity! }

  enum OrganizationsSortBy { Cid Name Volume }
  enum LanguageVersionEnum { legacy xdr1 xdrdetects1 filteralert federated1 }
  enum Severity { Error Warning Information Hint }
  enum ColumnChangeKind { Add Remove }

  input ColumnChange { changeKind: ColumnChangeKind! index: Int! }
  input QueryArgument { name: String! value: String! }
  input CreateSavedQueryInput {
    name: String! viewName: String! queryString: String! description: String start: String end: String isLive: Boolean
    widgetType: String options: String
  }
  input UpdateSavedQueryInput {
    id: String! viewName: String! name: String queryString: String description: String start: String end: String
    isLive: Boolean widgetType: String options: String
  }
  input DeleteSavedQueryInput { id: String! viewName: String! }
  input AddIngestTokenV3Input { repositoryName: String! name: String! parser: String customToken: String }
  input AssignParserToIngestTokenV2Input { repositoryName: String! tokenName: String! parser: String! }
  input ParserTestCaseInput { event: ParserTestEventInput! outputAssertions: [ParserTestCaseAssertionsForOutputInput!] = [] }
  input ParserTestEventInput { rawString: String! }
  input ParserTestCaseAssertionsForOutputInput { outputEventIndex: Int! assertions: ParserTestCaseOutputAssertionsInput! }
  input ParserTestCaseOutputAssertionsInput { fieldsNotPresent: [String!] = [] fieldsHaveValues: [FieldHasValueInput!] = [] }
  input FieldHasValueInput { fieldName: String! expectedValue: String! }
  input LanguageVersionInputType { name: String! }
  input ParserTestRunInput {
    repositoryName: RepoOrViewName! parserName: String! packageId: String script: String! fieldsToTag: [String!]!
    fieldsToBeRemovedBeforeParsing: [String!]! testCases: [ParserTestCaseInput!]!
    languageVersion: LanguageVersionInputType = { name: "legacy" } schema: YAML
  }
  input CreateParserFromTemplateInput { name: String! viewName: RepoOrViewName! yamlTemplate: YAML! }
  input GenerateParserFromTemplateInput { yamlTemplate: YAML! }
  input CreateParserInputV2 {
    name: String! script: String! testCases: [ParserTestCaseInput!]! repositoryName: RepoOrViewName! fieldsToTag: [String!]!
    fieldsToBeRemovedBeforeParsing: [String!]! allowOverwritingExistingParser: Boolean! languageVersion: LanguageVersionInputType
  }
  input UpdateUserByIdInput {
    userId: String! username: String company: String isRoot: Boolean firstName: String lastName: String fullName: String
    picture: String email: String countryCode: String stateCode: String
  }
  input UpdateParserScriptInput { script: String! languageVersion: LanguageVersionInputType }
  input UpdateParserInputV2 {
    repositoryName: RepoOrViewName! id: String! name: String script: UpdateParserScriptInput
    testCases: [ParserTestCaseInput!] fieldsToTag: [String!] fieldsToBeRemovedBeforeParsing: [String!]
  }
  input DeleteParserInput { id: String! repositoryName: RepoOrViewName! }
  input ViewConnectionInput { repositoryName: String! filter: String! languageVersion: LanguageVersionEnum }
`);

/**
 * The only field of a GraphQL request, with the values of its arguments.
 *
 * @throws Error if the service would reject the request
 */
export function askedOf(body: unknown): Record<string, unknown> {
  const { query, variables } = body as { query: string; variables?: Record<string, unknown> };
  const document = parse(query);
  const problems = validate(SCHEMA, document);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const operation = document.definitions[0] as OperationDefinitionNode;
  const { coerced, errors } = getVariableValues(SCHEMA, operation.variableDefinitions ?? [], variables ?? {});
  if (errors !== undefined) throw new Error(errors.join('\n'));
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || others.length > 0) throw new Error('More than one field is asked for.');
  const definition = SCHEMA.getRootType(operation.operation)?.getFields()[field.name.value];
  return { [field.name.value]: plain(getArgumentValues(definition!, field, coerced)) };
}

/** As JSON, because the values have no prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
