import { parameterOf } from '../../language/diagnostics/call-arguments.ts';
import type { ArgumentNode, CallNode } from '../../language/index.ts';
import type { ArgumentType } from '../signature/argument-types.ts';
import type { BoundArguments, CallSite } from '../signature/call-site.ts';
import type { FunctionSpec } from '../signature/function-spec.ts';
import type { PresetArguments, Scope } from '../signature/scope.ts';

/**
 * Binds the arguments of a call, which the checker accepts, to the parameters of its function.
 *
 * @throws QueryError at an argument of the wrong type.
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
    this.#values.set(name, this.#spec.parameters[name]!.type.isList ? [value] : value);
  }

  take(argument: ArgumentNode): void {
    const name = parameterOf(argument, this.#node)?.name;
    if (name === undefined) {
      const { name: other } = argument.name!;
      this.#others.push({ name: other, value: this.#convert(other, argument, this.#spec.anyNameType!) });
      return;
    }
    const { type } = this.#spec.parameters[name]!;
    const value = this.#convert(name, argument, type);
    const isJoined = this.#nodes.has(name);
    this.#values.set(name, isJoined ? type.join!(this.#values.get(name), value) : value);
    if (!isJoined) this.#nodes.set(name, argument);
  }

  finish(): BoundArguments {
    const absent = Object.entries(this.#spec.parameters).map(([name, parameter]) => [name, parameter.absent]);
    // Without a prototype, so that a missing parameter is not found in Object.prototype.
    const named = Object.assign(Object.create(null), Object.fromEntries([...absent, ...this.#values]));
    return { named, others: this.#others };
  }

  #convert(name: string, { value: node, attributes }: ArgumentNode, type: ArgumentType<unknown>): unknown {
    const value = type.read(node, this.scope, attributes);
    if (value !== undefined) return value;
    const isOpen = node.kind === 'Parameter' && !this.scope.parameter(node).given;
    const actual = isOpen ? `?${node.name} has no value` : `got ${this.scope.textAt(node.span)}`;
    return this.scope.fail(
      node.span,
      `"${name}" of ${this.#spec.name}() must be ${type.expects} (${actual})`,
    );
  }
}
