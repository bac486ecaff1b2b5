import type { LookupEdit } from '../lookup-files/lookup-edit.ts';
import type { LookupWindow, LookupWindowOptions } from '../lookup-files/lookup-files.ts';
import { invalid } from '../registries/resource-error.ts';
import type { SearchDomain } from '../search-domain.ts';
import { type GraphqlArea, type GraphqlContext, type Optional, requireSearchDomain } from './area.ts';

interface FileArguments {
  readonly name: string;
  readonly fileName: string;
}

export interface FieldSearchArguments {
  readonly fileName: string;
  readonly fieldName: string;
  readonly prefixFilter?: Optional<string>;
  readonly valueFilters: readonly { readonly field: string; readonly values: readonly string[] }[];
  readonly fieldsToInclude: readonly string[];
  readonly maxEntries: number;
}

export const filesArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    "A name, and a path that is null for a file of the repository itself."
    type FileNameAndPath { name: String! path: String }

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
      limit: Int!
      offset: Int!
      filterString: String
      resource: String!
    }

    enum ColumnChangeKind { Add Remove }
    input ColumnChange { changeKind: ColumnChangeKind! index: Int! }
    input FileFieldFilterType { field: String! values: [String!]! }
    type DictionaryEntryType { key: String! value: String! }

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
  operations: {
    getFileContent: ({ name, fileName, ...window }: FileArguments & LookupWindowOptions, context) =>
      snapshot(name, requireSearchDomain(context, name).files.window(fileName, window)),
    newFile: ({ name, fileName }: FileArguments, context) => {
      const file = requireSearchDomain(context, name).files.create(fileName);
      return snapshot(name, { name: file.name, headers: [], lines: [], totalLinesCount: 0 });
    },
    updateFile: ({ name, fileName, ...edit }: FileArguments & LookupEdit, context) =>
      snapshot(name, requireSearchDomain(context, name).files.update(fileName, edit)),
    removeFile: ({ name, fileName }: FileArguments, context) => {
      requireSearchDomain(context, name).files.remove(fileName);
      return { result: true };
    },
  },
};

export function listFiles({ name: domain, files }: SearchDomain, { users }: GraphqlContext): unknown[] {
  const { username } = users.root;
  return files.list().map(({ name, content, contentHash, createdAt, modifiedAt }) => ({
    nameAndPath: { name, path: null },
    contentHash,
    createdAt,
    createdBy: username,
    modifiedAt,
    modifiedBy: username,
    fileSizeBytes: content.byteLength,
    resource: resourceOf(domain, name),
  }));
}

/** The `fileFieldSearch` of a repository: rows as lists of columns and values. */
export function searchFile({ files }: SearchDomain, args: FieldSearchArguments): unknown[] {
  const { table } = files.require(args.fileName);
  const column = (name: string) => {
    const index = table.headers.indexOf(name);
    if (index !== -1) return { name, index };
    throw invalid(`The file has no column ${JSON.stringify(name.slice(0, 100))}.`);
  };
  const field = column(args.fieldName);
  const filters = args.valueFilters.map(({ field, values }) => ({
    ...column(field),
    values: new Set(values),
  }));
  const included = [...new Set([args.fieldName, ...args.fieldsToInclude])].map(column);
  return table.rows
    .filter((row) => row[field.index]!.startsWith(args.prefixFilter ?? ''))
    .filter((row) => filters.every(({ index, values }) => values.has(row[index]!)))
    .slice(0, Math.max(0, args.maxEntries))
    .map((row) => included.map(({ name, index }) => ({ key: name, value: row[index]! })));
}

function snapshot(domain: string, { name, ...window }: LookupWindow): unknown {
  const { offset, limit, lines } = window;
  return {
    ...window,
    offset: offset ?? 0,
    limit: limit ?? lines.length,
    nameAndPath: { name, path: null },
    resource: resourceOf(domain, name),
  };
}

function resourceOf(domain: string, fileName: string): string {
  return `view/${domain}/file/${fileName}`;
}
