export interface QueryValidation {
  readonly isValid: boolean;
  readonly diagnostics: readonly QueryDiagnostic[];
}

export interface QueryDiagnostic {
  readonly message: string;
  readonly code: string;
  readonly severity: string;
}

/** Kind of alert that suits a query. */
export type AlertType = 'FilterAlert' | 'AggregateAlert' | 'LegacyAlert';

export interface QueryAnalysis extends QueryValidation {
  /** The kind of alert for the query. undefined if the service suggests none, for example for an invalid query. */
  readonly suggestedAlertType: AlertType | undefined;
}
