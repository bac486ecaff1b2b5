/** The response to `POST /graphql`: business errors arrive with status 200. */
export interface GraphqlAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphqlError[];
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Details by the name of the input field. */
  readonly state?: Readonly<Record<string, string>>;
}
