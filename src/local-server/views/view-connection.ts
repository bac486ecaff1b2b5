export interface ViewConnection {
  readonly repositoryName: string;
  readonly filter: string;
}
