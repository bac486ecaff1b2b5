import { LogOptionsException } from '../errors.ts';
import { describe, requireInteger, requireOneOf, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { ColumnChange, LookupFileContent } from '../wire/files.ts';
import { FILE_CONTENT_FIELDS } from './files.ts';
import { graphqlPart } from './graphql-part.ts';

/** A range of rows of a file, without the header. */
export interface RowWindowOptions extends CallOptions {
  /** Index of the first row in the range, starting at 0 and excluding the header. @default 0 */
  offset?: number | undefined;
  /** Number of rows in the range. @default 200 */
  limit?: number | undefined;
}

export interface GetFileContentOptions extends RowWindowOptions {
  /** Returns only rows that contain this string. */
  filterString?: string | undefined;
}

export interface AddFileContentsOptions extends RowWindowOptions {
  /** Columns to add or remove, applied in order to every row of the file. @default [] */
  columnChanges?: readonly ColumnChange[] | undefined;
}

const GET_CONTENT = `query GetFileContent($repository: String!, $name: String!, $offset: Int, $limit: Int, $filterString: String) {
  getFileContent(name: $repository, fileName: $name, offset: $offset, limit: $limit, filterString: $filterString) {
    ${FILE_CONTENT_FIELDS}
  }
}`;

const UPDATE_FILE = `mutation UpdateFile($repository: String!, $name: String!, $headers: [String!]!, $changedRows: [[String!]!]!, $columnChanges: [ColumnChange!]!, $offset: Int, $limit: Int) {
  updateFile(name: $repository, fileName: $name, headers: $headers, changedRows: $changedRows, columnChanges: $columnChanges, offset: $offset, limit: $limit) {
    ${FILE_CONTENT_FIELDS}
  }
}`;

export async function getFileContent(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: GetFileContentOptions,
): Promise<LookupFileContent> {
  const owner = 'getFileContent';
  const call = resolveCallOptions(owner, options, ['offset', 'limit', 'filterString']);
  const { filterString } = options;
  if (filterString !== undefined && typeof filterString !== 'string') {
    throw new LogOptionsException(
      `${owner}: "filterString" must be a string (got ${describe(filterString)}).`,
    );
  }
  return graphqlPart<LookupFileContent>(webCaller, 'getFileContent', {
    ...call,
    query: GET_CONTENT,
    variables: {
      repository,
      name: requireText(owner, 'name', name),
      ...windowOf(owner, options),
      filterString,
    },
  });
}

export async function addFileContents(
  scope: RepositoryScope,
  name: string,
  headers: readonly string[],
  changedRows: readonly (readonly string[])[],
  options: AddFileContentsOptions,
): Promise<LookupFileContent> {
  const owner = 'addFileContents';
  return updateFile(scope, owner, options, () => ({
    name: requireText(owner, 'name', name),
    headers: requireTexts(owner, 'the headers', headers),
    changedRows: requireRows(owner, changedRows, headers.length),
    columnChanges: requireColumnChanges(owner, options.columnChanges ?? []),
  }));
}

/** Replacing a window of rows by none removes it; `headers: []` keeps the header. */
export async function removeFileContents(
  scope: RepositoryScope,
  name: string,
  options: RowWindowOptions,
): Promise<LookupFileContent> {
  const owner = 'removeFileContents';
  return updateFile(scope, owner, options, () => ({
    name: requireText(owner, 'name', name),
    headers: [],
    changedRows: [],
    columnChanges: [],
  }));
}

async function updateFile(
  { webCaller, repository }: RepositoryScope,
  owner: 'addFileContents' | 'removeFileContents',
  options: AddFileContentsOptions,
  change: () => object,
): Promise<LookupFileContent> {
  const ownNames = owner === 'addFileContents' ? ['offset', 'limit', 'columnChanges'] : ['offset', 'limit'];
  const call = resolveCallOptions(owner, options, ownNames);
  return graphqlPart<LookupFileContent>(webCaller, 'updateFile', {
    ...call,
    query: UPDATE_FILE,
    variables: { repository, ...change(), ...windowOf(owner, options) },
  });
}

function windowOf(owner: string, { offset = 0, limit = 200 }: RowWindowOptions): object {
  return {
    offset: requireInteger(owner, 'offset', offset, { max: 2 ** 31 - 1 }),
    limit: requireInteger(owner, 'limit', limit, { max: 2 ** 31 - 1 }),
  };
}

function requireTexts(owner: string, what: string, texts: readonly string[]): readonly string[] {
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  throw new LogOptionsException(`${owner}: ${what} must be an array of strings.`);
}

function requireRows(
  owner: string,
  rows: readonly (readonly string[])[],
  columnCount: number,
): readonly (readonly string[])[] {
  if (!Array.isArray(rows)) {
    throw new LogOptionsException(`${owner}: the rows must be an array of arrays (got ${describe(rows)}).`);
  }
  rows.forEach((row: readonly string[], index) => {
    requireTexts(owner, `row ${index}`, row);
    if (row.length !== columnCount) {
      throw new LogOptionsException(
        `${owner}: row ${index} has ${row.length} cells, but there are ${columnCount} headers.`,
      );
    }
  });
  return rows;
}

function requireColumnChanges(owner: string, changes: readonly ColumnChange[]): readonly ColumnChange[] {
  if (!Array.isArray(changes)) {
    throw new LogOptionsException(`${owner}: "columnChanges" must be an array (got ${describe(changes)}).`);
  }
  return changes.map((change: Partial<ColumnChange> | null, position) => {
    const { changeKind, index } = change ?? {};
    return {
      changeKind: requireOneOf(owner, `columnChanges[${position}].changeKind`, changeKind, ['Add', 'Remove']),
      index: requireInteger(owner, `columnChanges[${position}].index`, index),
    };
  });
}
