export interface QueryValidation {
  readonly isValid: boolean;
  readonly diagnostics: readonly QueryDiagnostic[];
}

export interface QueryDiagnostic {
  readonly message: string;
  readonly code: string;
  readonly severity: string;
}
