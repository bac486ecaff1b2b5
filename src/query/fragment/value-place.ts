/**
 * What a value is in the query, by what stands around it.
 *
 * - `equal`: after `=` and `!=` of a filter, or before the `=>` of an arm: the whole text of a field
 * - `contained`: after `like`, or on its own in a filter: a part of a text
 * - `ordered`: after `<`, `<=`, `>`, `>=` of a filter
 * - `fieldName`: where a field is compared or assigned, or a parameter is named
 * - `parameter`: the default of `?{name=…}`, or an argument of a saved query
 * - `argument`: a whole argument, or a whole element of a list
 * - `operand`: any other place in an expression
 */
export type PlaceKind =
  | 'equal'
  | 'contained'
  | 'ordered'
  | 'fieldName'
  | 'parameter'
  | 'argument'
  | 'operand';

export interface ValuePlace {
  readonly kind: PlaceKind;
  /** The function in whose arguments the value stands, in lower case. */
  readonly functionName: string | undefined;
  /** Whether `name(…)` may as well be the text `name` and a filter in parentheses. */
  readonly isUnclear: boolean;
  /** Whether it stands directly between `[` and `]`. */
  readonly isInList: boolean;
  /** What the query says up to here, for messages. */
  readonly before: string;
}
