import type { Verdict } from '../columns/column-test.ts';
import type { Expression, Predicate } from '../columns/expression.ts';
import { rowExpression, rowPredicate } from '../columns/row-view.ts';
import type { Fields } from '../event.ts';
import type { AggregateStep, StreamStep } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import type { Value } from '../value.ts';
import { type ArgumentType, fieldName } from './argument-types.ts';
import type { BoundArguments, CallSite } from './call-site.ts';
import type { CompiledCall } from './scope.ts';

/** A parameter of a function. `T` is the type of its value. */
export interface Parameter<T> {
  readonly type: ArgumentType<unknown>;
  readonly isRequired: boolean;
  /** Whether its name may be omitted. */
  readonly isUnnamed: boolean;
  /** Former names. */
  readonly aliases: readonly string[];
  /** Value of an absent argument. */
  readonly absent: T;
}

interface ParameterOptions {
  readonly unnamed?: true;
  readonly aliases?: readonly string[];
}

export function required<T>(type: ArgumentType<T>, options: ParameterOptions = {}): Parameter<T> {
  return { ...parameter(type, options), isRequired: true, absent: undefined as T };
}

/** A required parameter whose name may be omitted. */
export function unnamed<T>(type: ArgumentType<T>, aliases: readonly string[] = []): Parameter<T> {
  return required(type, { unnamed: true, aliases });
}

export function optional<T>(type: ArgumentType<T>, options: ParameterOptions = {}): Parameter<T | undefined> {
  return { ...parameter(type, options), isRequired: false, absent: undefined };
}

export function withDefault<T>(
  type: ArgumentType<T>,
  absent: NoInfer<T>,
  options: ParameterOptions = {},
): Parameter<T> {
  return { ...parameter(type, options), isRequired: false, absent };
}

/** The field that most functions of text read without its name. */
export const rawstring = withDefault(fieldName, '@rawstring', { unnamed: true });

function parameter(
  type: ArgumentType<unknown>,
  { unnamed = false as boolean, aliases = [] }: { unnamed?: boolean; aliases?: readonly string[] },
): Pick<Parameter<unknown>, 'type' | 'isUnnamed' | 'aliases'> {
  return { type, isUnnamed: unnamed, aliases };
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type ArgumentsOf<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** Notes for the documentation of a function. */
interface Notes {
  /** Differences from the service, one sentence each. */
  readonly partial?: readonly string[];
  /** Decisions where the service's behavior is undocumented, one sentence each. */
  readonly uncertain?: readonly string[];
}

interface Signature<P extends Parameters> extends Notes {
  /** As the service spells it; calls ignore case. */
  readonly name: string;
  readonly parameters: P;
}

type Compile<P extends Parameters, R> = (args: ArgumentsOf<P>, call: CallSite) => R;

type Spec<P extends Parameters, R> = Signature<P> & { readonly compile: Compile<P, R> };

/** A filter; may be negated. `step` also extracts fields, if the call is a step. */
export interface FilterResult {
  /** A function of a row, or a predicate. */
  readonly test: Predicate | ((row: Fields, run: RunScope) => Verdict);
  readonly step?: StreamStep;
}

/** A function of a row, or an expression. */
type ValueResult = Expression | ((row: Fields, run: RunScope) => Value);

/**
 * An entry of the registry.
 *
 * - `filter`: keeps or drops events; a boolean in expressions.
 * - `value`: computes one field; its value in expressions.
 * - `transform`: changes, drops or multiplies events.
 * - `aggregate`: consumes events and produces rows.
 * - `definition`: applies to the whole query and comes first.
 */
export interface FunctionSpec extends Required<Notes> {
  readonly name: string;
  readonly kind: 'filter' | 'value' | 'transform' | 'aggregate' | 'definition';
  /** Default output field of a `value` as a step. */
  readonly output: string | undefined;
  readonly parameters: Parameters;
  /** Type of arguments with arbitrary names, as in `eval(a=…, b=…)`. */
  readonly anyNameType: ArgumentType<unknown> | undefined;
  readonly compile: (args: BoundArguments, call: CallSite) => CompiledCall;
}

/** Erases the types of a function's arguments. Safe, because the same parameters convert the arguments. */
function erase<P extends Parameters>(
  signature: Signature<P>,
  kind: FunctionSpec['kind'],
  compile: Compile<P, CompiledCall>,
): FunctionSpec {
  return {
    name: signature.name,
    kind,
    output: undefined,
    partial: signature.partial ?? [],
    uncertain: signature.uncertain ?? [],
    parameters: signature.parameters,
    anyNameType: undefined,
    compile: (args, call) => compile(args.named as ArgumentsOf<P>, call),
  };
}

/** The fields that the arguments of a call name, which its function probably reads. */
function fieldsOf<P extends Parameters>(
  { parameters }: Signature<P>,
  args: ArgumentsOf<P>,
): readonly string[] {
  const inputs = Object.entries(parameters).filter(([name]) => name !== 'as' && args[name] !== undefined);
  return [...new Set(inputs.flatMap(([name, { type }]) => type.fieldsOf?.(args[name]) ?? []))];
}

/** Defines a function of a kind. */
export const define = {
  filter<const P extends Parameters>(spec: Spec<P, FilterResult>): FunctionSpec {
    return erase(spec, 'filter', (args, call) => {
      const { test, ...more } = spec.compile(args, call);
      const filter = typeof test === 'function' ? rowPredicate(test, fieldsOf(spec, args)) : test;
      return { kind: 'filter', test: filter, ...more };
    });
  },

  /**
   * Has the parameter `as`, unless the function declares it itself. `output` is the default output field: by default,
   * the name after `_`, without its namespace. `null` makes `as` mandatory for a step.
   */
  value<const P extends Parameters>(
    spec: Spec<P, ValueResult> & { readonly output?: string | ((args: ArgumentsOf<P>) => string) | null },
  ): FunctionSpec {
    const { output = `_${spec.name.replace(/^\w+:/, '')}` } = spec;
    const erased = erase(
      { ...spec, parameters: { ...spec.parameters, as: spec.parameters.as ?? optional(fieldName) } },
      'value',
      (args, call) => {
        const value = spec.compile(args, call);
        return {
          kind: 'value',
          value: typeof value === 'function' ? rowExpression(value, fieldsOf(spec, args)) : value,
          as:
            (args.as as string | undefined) ??
            (typeof output === 'function' ? output(args) : output) ??
            undefined,
        };
      },
    );
    return { ...erased, output: typeof output === 'function' ? 'field' : (output ?? undefined) };
  },

  transform<const P extends Parameters>(spec: Spec<P, StreamStep>): FunctionSpec {
    return erase(spec, 'transform', (args, call) => ({ kind: 'transform', step: spec.compile(args, call) }));
  },

  aggregate<const P extends Parameters>(spec: Spec<P, AggregateStep>): FunctionSpec {
    return erase(spec, 'aggregate', (args, call) => ({ kind: 'aggregate', step: spec.compile(args, call) }));
  },

  definition<const P extends Parameters>(spec: Spec<P, void>): FunctionSpec {
    return erase(spec, 'definition', (args, call) => {
      spec.compile(args, call);
      return { kind: 'definition' };
    });
  },
};
