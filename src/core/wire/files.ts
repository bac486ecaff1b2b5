/** A lookup file of a repository. */
export interface LookupFile {
  readonly nameAndPath: { readonly name: string; readonly path: string | null };
  readonly contentHash?: string;
  readonly fileSizeBytes?: number;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
}

/** A range of rows of a lookup file. */
export interface LookupFileContent {
  readonly nameAndPath: { readonly name: string; readonly path: string | null };
  readonly headers: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** Number of rows in the file, without the header. */
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
