export interface IngestToken {
  readonly name: string;
  readonly token: string;
  readonly parser: { readonly name: string } | null;
}
