/** One of the lookup files of a repository. */
export interface LookupFile {
  readonly nameAndPath: { readonly name: string; readonly path: string | null };
  readonly contentHash?: string;
  readonly fileSizeBytes?: number;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
}

/** A window of the rows of a lookup file. */
export interface LookupFileContent {
  readonly nameAndPath: { readonly name: string; readonly path: string | null };
  readonly headers: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** All rows of the file, the header not counted. */
  readonly totalLinesCount: number;
  readonly limit: number | null;
  readonly offset: number | null;
  readonly filterString: string | null;
}

/** Adds or removes a column at an index. */
export interface ColumnChange {
  readonly changeKind: 'Add' | 'Remove';
  readonly index: number;
}
