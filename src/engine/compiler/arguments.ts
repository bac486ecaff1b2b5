import { nearestName } from '../../core/nearest-name.ts';
import type { ArgumentNode, CallNode, FieldNode, Span } from '../../language/index.ts';
import type { ArgumentType } from '../signature/argument-types.ts';
import type { BoundArguments, CallSite } from '../signature/call-site.ts';
import type { FunctionSpec, Parameter } from '../signature/function-spec.ts';
import type { PresetArguments, Scope } from '../signature/scope.ts';

/**
 * Binds the arguments of a call to the parameters of its function. Contains all rules about arguments: unknown, missing
 * and repeated names, unnamed arguments, wrong types.
 *
 * @throws QueryError at the argument that is wrong.
 */
export function bindArguments(
  spec: FunctionSpec,
  node: CallNode,
  presets: PresetArguments,
  scope: Scope,
): { readonly args: BoundArguments; readonly site: CallSite } {
  const binding = new Binding(spec, node, scope);
  for (const [name, value] of Object.entries(presets)) binding.preset(name, value);
  for (const argument of node.arguments) binding.take(argument);
  return { args: binding.finish(), site: binding };
}

class Binding implements CallSite {
  readonly scope: Scope;
  readonly #spec: FunctionSpec;
  readonly #node: CallNode;
  readonly #nodes = new Map<string, ArgumentNode>();
  readonly #values = new Map<string, unknown>();
  readonly #others: { name: string; value: unknown }[] = [];

  constructor(spec: FunctionSpec, node: CallNode, scope: Scope) {
    this.#spec = spec;
    this.#node = node;
    this.scope = scope;
  }

  has(parameter: string): boolean {
    return this.#values.has(parameter);
  }

  fail(problem: string, parameter = ''): never {
    return this.scope.fail(this.#nodes.get(parameter)?.span ?? this.#node.span, problem);
  }

  preset(name: string, value: string): void {
    this.#values.set(name, this.#parameter(name).type.isList ? [value] : value);
  }

  take(argument: ArgumentNode): void {
    if (argument.name === undefined) this.#takeUnnamed(argument);
    else this.#takeNamed(argument, argument.name);
  }

  finish(): BoundArguments {
    // Without a prototype, so that a missing parameter is not found in Object.prototype.
    const named: Record<string, unknown> = Object.create(null);
    for (const [name, parameter] of Object.entries(this.#spec.parameters)) {
      if (parameter.isRequired && !this.#values.has(name)) {
        this.fail(`${this.#spec.name}() needs the parameter "${name}": ${parameter.type.expects}`);
      }
      named[name] = this.#values.has(name) ? this.#values.get(name) : parameter.absent;
    }
    return { named, others: this.#others };
  }

  #parameter(name: string): Parameter<unknown> {
    return this.#spec.parameters[name]!;
  }

  #canonicalName(written: string): string | undefined {
    const { parameters } = this.#spec;
    if (Object.hasOwn(parameters, written)) return written;
    return Object.keys(parameters).find((name) => parameters[name]?.aliases.includes(written));
  }

  #takeNamed(argument: ArgumentNode, { name: written, span }: FieldNode): void {
    const { anyNameType } = this.#spec;
    const name = this.#canonicalName(written);
    if (name !== undefined) this.#bind(name, argument, this.#parameter(name).type);
    else if (anyNameType === undefined) this.#refuseName(argument, written, span);
    else this.#others.push({ name: written, value: this.#convert(written, argument, anyNameType) });
  }

  #takeUnnamed(argument: ArgumentNode): void {
    const { parameters } = this.#spec;
    const name =
      Object.keys(parameters).find((candidate) => parameters[candidate]?.isUnnamed) ??
      this.#refuseUnnamed(argument);
    const { type } = this.#parameter(name);
    const earlier = this.#nodes.get(name);
    if (earlier !== undefined && earlier.name === undefined && type.join !== undefined) {
      this.#values.set(name, type.join(this.#values.get(name), this.#convert(name, argument, type)));
    } else {
      this.#bind(name, argument, type);
    }
  }

  #refuseUnnamed({ span }: ArgumentNode): never {
    const known = Object.keys(this.#spec.parameters);
    const hint =
      this.#spec.anyNameType !== undefined
        ? 'expects arguments of the form name=value'
        : known.length === 0
          ? 'accepts no arguments'
          : `accepts no unnamed argument, only ${known.join(', ')}`;
    return this.scope.fail(span, `${this.#spec.name}() ${hint}`);
  }

  #bind(name: string, argument: ArgumentNode, type: ArgumentType<unknown>): void {
    if (this.#values.has(name)) {
      const hint = argument.name === undefined ? `; name the other arguments, as in name=value` : '';
      this.scope.fail(argument.span, `${this.#spec.name}() has "${name}" twice${hint}`);
    }
    this.#nodes.set(name, argument);
    this.#values.set(name, this.#convert(name, argument, type));
  }

  #convert(name: string, { value: node, attributes }: ArgumentNode, type: ArgumentType<unknown>): unknown {
    const value = type.read(node, this.scope, attributes);
    if (value !== undefined) return value;
    const isOpen = node.kind === 'Parameter' && !this.scope.parameter(node).given;
    const actual = isOpen ? `?${node.name} has no value` : `got ${this.scope.textAt(node.span)}`;
    return this.scope.fail(
      node.span,
      `"${name}" of ${this.#spec.name}() must be ${type.expects} (${actual})${quotesHint(node)}`,
    );
  }

  #refuseName(argument: ArgumentNode, written: string, span: Span): never {
    const known = Object.keys(this.#spec.parameters);
    const meant = this.#comparisonHint(argument);
    const nearest = meant === '' ? nearestName(written, known) : undefined;
    const hint =
      nearest !== undefined
        ? `. Did you mean "${nearest}"?`
        : known.length === 0
          ? ': it accepts no arguments'
          : `, only ${known.join(', ')}`;
    return this.scope.fail(span, `${this.#spec.name}() has no parameter "${written}"${hint}${meant}`);
  }

  /** The fix for `a=b` as the first argument of a function that expects a filter or an expression. */
  #comparisonHint(argument: ArgumentNode): string {
    const { name, parameters } = this.#spec;
    const [unnamed, { type } = { type: undefined }] =
      Object.entries(parameters).find(([, { isUnnamed }]) => isUnnamed) ?? [];
    const isGiven = this.#node.arguments.some((one) => one.name === undefined || one.name.name === unnamed);
    if (type === undefined || isGiven || argument !== this.#node.arguments[0]) return '';
    if (type.expects.includes('{ … }')) {
      return `; put a filter in braces, as in ${name}({ ${this.scope.textAt(argument.span)} })`;
    }
    if (type.expects !== 'an expression') return '';
    if (argument.value.kind !== 'Regex') return '; write "==" to compare';
    return `; to match a regex, write regex("${argument.value.body}", field=${argument.name?.name})`;
  }
}

/** Without quotes, `10.0.0.0/8` is a division. */
function quotesHint(node: ArgumentNode['value']): string {
  const values = node.kind === 'Array' ? node.elements : [node];
  return values.some(({ kind }) => kind === 'Binary')
    ? '; put text with these characters in double quotes'
    : '';
}
