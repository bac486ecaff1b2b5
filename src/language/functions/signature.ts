/** A kind of value that a parameter accepts, as far as it can be checked without running the query. */
export type ValueForm =
  | { readonly kind: 'field' | 'text' | 'number' | 'flag' | 'order' | 'duration' | 'span' | 'timeZone' }
  | { readonly kind: 'regex' | 'regexFlags' | 'expression' | 'filter' | 'aggregate' | 'query' | 'steps' }
  | { readonly kind: 'file' | 'other' }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  /** An integer from 1, or the word `max`. A number above the maximum is cut with a warning. */
  | { readonly kind: 'limit'; readonly max: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

/** A parameter of a function. */
export interface ParameterSignature {
  readonly name: string;
  readonly form: ValueForm;
  /** Completes "… must be", such as `a field name`. */
  readonly expects: string;
  /** True if the call fails without it. */
  readonly isRequired?: true;
  /** True if it can be written without its name. */
  readonly isUnnamed?: true;
  /** True if it accepts an array; a single value counts as an array of one. */
  readonly isList?: true;
  /** Older names. */
  readonly aliases?: readonly string[];
  /** The default, as written in a query. */
  readonly defaultValue?: string;
}

/**
 * What a function does with events.
 *
 * - `filter`: keeps or drops them; true or false in an expression.
 * - `value`: computes one field; in an expression it is the value.
 * - `transform`: changes, drops or multiplies them.
 * - `aggregate`: consumes them and returns rows.
 * - `definition`: applies to the whole query, before its first step.
 */
export type FunctionKind = 'filter' | 'value' | 'transform' | 'aggregate' | 'definition';

/** A function of the query language. */
export interface FunctionSignature {
  /** As the service spells it. Calls ignore case. */
  readonly name: string;
  readonly kind: FunctionKind;
  readonly parameters: readonly ParameterSignature[];
  /** What each argument must be if the function accepts arguments of any name, such as `eval(a=b+1)`. */
  readonly anyName?: string;
  /** The field that a `value` function writes without `as`. Absent: `as` is required in a step. `field`: the input field. */
  readonly output?: string;
}
