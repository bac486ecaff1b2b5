export interface ParserSummary {
  readonly id: string;
  readonly name: string;
  readonly isBuiltIn: boolean;
}

export interface Parser extends ParserSummary {
  readonly script: string;
  readonly fieldsToTag: readonly string[];
  readonly fieldsToBeRemovedBeforeParsing: readonly string[];
}
