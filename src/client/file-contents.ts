import { LogOptionsException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import {
  refuseUnknownOptions,
  requireArray,
  requireInteger,
  requireOneOf,
  requireString,
} from '../core/option-checks.ts';
import type { ColumnChange, LookupFileContent } from '../core/wire/files.ts';
import { OrganizationMethods } from './organizations.ts';
import type { OptionChecks } from './resource.ts';

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
  /** Columns to add or remove, each `{ changeKind: 'Add' | 'Remove', index }`, in order, for every row. @default [] */
  columnChanges?: readonly ColumnChange[] | undefined;
}

const WINDOW_OPTIONS: OptionChecks<RowWindowOptions> = { offset: requireInt, limit: requireInt };
const GET_OPTIONS: OptionChecks<GetFileContentOptions> = {
  ...WINDOW_OPTIONS,
  filterString: (owner, name, value) => requireString(owner, `"${name}"`, value),
};
const ADD_OPTIONS: OptionChecks<AddFileContentsOptions> = {
  ...WINDOW_OPTIONS,
  columnChanges: (owner, name, value) => requireColumnChanges(owner, name, value ?? []),
};

/** GraphQL fields of {@link LookupFileContent}. */
export const FILE_CONTENT_FIELDS =
  'nameAndPath { name path } headers lines totalLinesCount limit offset filterString';

const DEFAULT_WINDOW = { offset: 0, limit: 200 };

const NO_CHANGES = { headers: [], changedRows: [], columnChanges: [], ...DEFAULT_WINDOW };

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

/** Methods of a client for the rows of lookup files. */
export abstract class FileContentMethods extends OrganizationMethods {
  /**
   * Returns rows of a CSV file.
   *
   * @example
   * ```ts
   * const { headers, lines } = await client.getFileContent('hosts.csv', { filterString: 'web' });
   * ```
   */
  async getFileContent(name: string, options: GetFileContentOptions = {}): Promise<LookupFileContent> {
    const call = this.call('getFileContent', options, GET_OPTIONS);
    return call.part('getFileContent', GET_CONTENT, {
      ...call.inRepository({ name }),
      ...DEFAULT_WINDOW,
      ...call.ownOptions(),
    });
  }

  /**
   * Replaces the rows of a CSV file from `offset` to `offset + limit` with `changedRows`, which can be fewer or more: by
   * default the first 200 rows, even with a single row. Without rows, `offset` or `limit` is required. To add rows after
   * the last one, set `offset` as below.
   *
   * @param headers all column names after the change.
   *
   * @example
   * ```ts
   * const { headers, totalLinesCount: offset } = await client.getFileContent('hosts.csv');
   * await client.addFileContents('hosts.csv', headers, [['web-7', 'ann']], { offset });
   * ```
   */
  async addFileContents(
    name: string,
    headers: readonly string[],
    changedRows: readonly (readonly string[])[],
    options: AddFileContentsOptions = {},
  ): Promise<LookupFileContent> {
    const call = this.call('addFileContents', options, ADD_OPTIONS);
    const variables = {
      ...call.inRepository({ name }),
      ...NO_CHANGES,
      headers: requireTexts(call.owner, 'the headers', headers),
      changedRows: requireRows(call.owner, changedRows, headers.length),
      ...call.ownOptions(),
    };
    if (changedRows.length === 0 && options.offset === undefined && options.limit === undefined) {
      throw new LogOptionsException(
        `${call.owner}: without rows, this would remove the first ${DEFAULT_WINDOW.limit}. Use removeFileContents() to remove rows, or "limit: 0" to keep all.`,
      );
    }
    return call.part('updateFile', UPDATE_FILE, variables);
  }

  /** Removes the rows of a CSV file from `offset` to `offset + limit`: by default the first 200. */
  async removeFileContents(name: string, options: RowWindowOptions = {}): Promise<LookupFileContent> {
    const call = this.call('removeFileContents', options, WINDOW_OPTIONS);
    // Without headers, the service keeps those of the file.
    const variables = { ...call.inRepository({ name }), ...NO_CHANGES, ...call.ownOptions() };
    return call.part('updateFile', UPDATE_FILE, variables);
  }
}

function requireInt(owner: string, name: string, value: unknown): number {
  return requireInteger(owner, name, value, { max: 2 ** 31 - 1 });
}

function requireTexts(owner: string, what: string, texts: unknown): readonly string[] {
  const cells = requireArray(owner, what, texts, 'strings');
  return cells.map((cell, index) => requireString(owner, `column ${index} of ${what}`, cell));
}

function requireRows(
  owner: string,
  rows: readonly (readonly string[])[],
  columnCount: number,
): readonly (readonly string[])[] {
  requireArray(owner, 'the rows', rows, 'arrays').forEach((cells, index) => {
    const row = requireTexts(owner, `row ${index}`, cells);
    if (row.length !== columnCount) {
      throw new LogOptionsException(
        `${owner}: row ${index} must have one cell per header: ${columnCount} (got ${row.length}).`,
      );
    }
  });
  return rows;
}

function requireColumnChanges(owner: string, name: string, changes: unknown): readonly ColumnChange[] {
  return requireArray(owner, `"${name}"`, changes, '{ changeKind, index }').map((change, position) => {
    refuseUnknownOptions(`${owner}: "${name}[${position}]"`, change as ColumnChange, ['changeKind', 'index']);
    const { changeKind, index } = change as ColumnChange;
    return {
      changeKind: requireOneOf(owner, `${name}[${position}].changeKind`, changeKind, ['Add', 'Remove']),
      index: requireInteger(owner, `${name}[${position}].index`, index),
    };
  });
}
