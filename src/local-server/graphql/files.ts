import type { LookupEdit } from '../lookup-files/lookup-edit.ts';
import type { LookupFile, LookupFiles, LookupWindow } from '../lookup-files/lookup-files.ts';
import { ResourceError } from '../registries/resource-error.ts';
import type { SearchDomain } from '../search-domain.ts';
import { type GraphqlArea, type GraphqlContext, given, type Optional } from './area.ts';
import { requireSearchDomain } from './require-repository.ts';

interface FileArguments {
  readonly name: string;
  readonly fileName: string;
}

interface WindowArguments extends FileArguments {
  readonly offset?: Optional<number>;
  readonly limit?: Optional<number>;
  readonly filterString?: Optional<string>;
}

interface UpdateArguments extends FileArguments {
  readonly changedRows: LookupEdit['changedRows'];
  readonly headers: LookupEdit['headers'];
  readonly columnChanges: LookupEdit['columnChanges'];
  readonly offset?: Optional<number>;
  readonly limit?: Optional<number>;
}

interface FieldSearchArguments {
  readonly fileName: string;
  readonly fieldName: string;
  readonly prefixFilter?: Optional<string>;
  readonly valueFilters: readonly { readonly field: string; readonly values: readonly string[] }[];
  readonly fieldsToInclude: readonly string[];
  readonly maxEntries: number;
}

/** Lookup files and their rows. */
export const filesArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    "A name, and a path that is null for a file of the repository itself."
    type FileNameAndPath {
      name: String!
      path: String
    }

    type File {
      nameAndPath: FileNameAndPath!
      "SHA-256 in hexadecimal digits."
      contentHash: String!
      createdAt: DateTime!
      createdBy: String!
      modifiedAt: DateTime!
      modifiedBy: String!
      fileSizeBytes: Long
      resource: String!
    }

    "A window of the rows of a CSV file."
    type UploadedFileSnapshot {
      nameAndPath: FileNameAndPath!
      headers: [String!]!
      lines: [[String!]!]!
      "All rows of the file, the header and the filter not considered."
      totalLinesCount: Long!
      limit: Int
      offset: Int
      filterString: String
      resource: String!
    }

    enum ColumnChangeKind {
      Add
      Remove
    }

    input ColumnChange {
      changeKind: ColumnChangeKind!
      index: Int!
    }

    input FileFieldFilterType {
      field: String!
      values: [String!]!
    }

    type DictionaryEntryType {
      key: String!
      value: String!
    }

    extend type Query {
      getFileContent(
        name: String!
        fileName: String!
        offset: Int
        limit: Int
        filterString: String
      ): UploadedFileSnapshot!
    }

    type Mutation {
      newFile(fileName: String!, name: String!): UploadedFileSnapshot!
      updateFile(
        fileName: String!
        name: String!
        changedRows: [[String!]!]!
        headers: [String!]!
        columnChanges: [ColumnChange!]!
        limit: Int
        offset: Int
      ): UploadedFileSnapshot!
      removeFile(fileName: String!, name: String!): BooleanResultType!
    }
  `,
  resolvers: {
    Query: {
      getFileContent: (_: unknown, args: WindowArguments, context) => {
        const { offset, limit, filterString } = args;
        const options = { offset: given(offset), limit: given(limit), filterString: given(filterString) };
        return snapshot(args.name, filesOf(context, args.name).window(args.fileName, options));
      },
    },
    Mutation: {
      newFile: (_: unknown, { name, fileName }: FileArguments, context) => {
        const files = filesOf(context, name);
        const file = files.create(fileName);
        return snapshot(name, { name: file.name, headers: [], lines: [], totalLinesCount: 0 });
      },
      updateFile: (_: unknown, args: UpdateArguments, context) => {
        const edit = { ...args, offset: given(args.offset), limit: given(args.limit) };
        return snapshot(args.name, filesOf(context, args.name).update(args.fileName, edit));
      },
      removeFile: (_: unknown, { name, fileName }: FileArguments, context) => {
        filesOf(context, name).remove(fileName);
        return { result: true };
      },
    },
  },
};

/** The `files` of a repository. */
export function listFiles(repository: SearchDomain, _: unknown, context: GraphqlContext): unknown[] {
  const { username } = context.users.root;
  return repository.files.list().map((file: LookupFile) => ({
    nameAndPath: { name: file.name, path: null },
    contentHash: file.contentHash,
    createdAt: file.createdAt,
    createdBy: username,
    modifiedAt: file.modifiedAt,
    modifiedBy: username,
    fileSizeBytes: file.content.byteLength,
    resource: resourceOf(repository.name, file.name),
  }));
}

/** The `fileFieldSearch` of a repository: rows as lists of column and value. */
export function searchFile(repository: SearchDomain, args: FieldSearchArguments): unknown[] {
  const { table } = repository.files.get(args.fileName) ?? missingFile(args.fileName);
  const column = (name: string): number => {
    const index = table.headers.indexOf(name);
    if (index !== -1) return index;
    throw new ResourceError('invalid', `The file has no column ${JSON.stringify(name.slice(0, 100))}.`);
  };
  const field = column(args.fieldName);
  const filters = args.valueFilters.map((filter) => ({
    index: column(filter.field),
    values: new Set(filter.values),
  }));
  const included = [...new Set([args.fieldName, ...args.fieldsToInclude])].map((name) => ({
    name,
    index: column(name),
  }));
  return table.rows
    .filter((row) => row[field]!.startsWith(args.prefixFilter ?? ''))
    .filter((row) => filters.every(({ index, values }) => values.has(row[index]!)))
    .slice(0, Math.max(0, args.maxEntries))
    .map((row) => included.map(({ name, index }) => ({ key: name, value: row[index]! })));
}

function filesOf(context: GraphqlContext, repositoryName: string): LookupFiles {
  return requireSearchDomain(context, repositoryName).files;
}

function snapshot(repositoryName: string, { name, ...window }: LookupWindow): unknown {
  return { ...window, nameAndPath: { name, path: null }, resource: resourceOf(repositoryName, name) };
}

function resourceOf(repositoryName: string, fileName: string): string {
  return `view/${repositoryName}/file/${fileName}`;
}

function missingFile(name: string): never {
  throw new ResourceError('missing', `There is no file ${JSON.stringify(name.slice(0, 100))}.`, {
    fileName: 'not found',
  });
}
