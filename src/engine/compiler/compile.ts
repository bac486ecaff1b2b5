import { diagnose, explain } from '../../language/diagnostics/check.ts';
import { checkFields } from '../../language/diagnostics/pipeline-checks.ts';
import { type PipelineNode, parse } from '../../language/index.ts';
import type { Plan } from '../plan/plan.ts';
import { QueryError } from '../query-error.ts';
import { emptyLibrary, type QueryLibrary } from '../query-library.ts';
import { PlanDraft } from '../signature/plan-draft.ts';
import { Compilation } from './compilation.ts';
import { compilePlan } from './compile-plan.ts';
import { Compiler } from './compiler.ts';

export interface CompileOptions {
  /** Values for `?name` in the query. A parameter without a value and a default is `*`. @default {} */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Lookup files and saved queries that the query can use. Default: none. */
  readonly library?: QueryLibrary;
  /**
   * A query of filters that runs before the first step, on stored events only: not on those of `createEvents()`.
   * Default: none.
   */
  readonly before?: string | undefined;
}

/**
 * Compiles a query.
 *
 * @throws QuerySyntaxError if it can't be parsed.
 * @throws QueryError for anything else that is wrong, such as an unknown function or file, or an invalid argument.
 */
export function compileQuery(queryString: string, options: CompileOptions = {}): Plan {
  try {
    const plan = compileBehind(undefined, queryString, options);
    return options.before === undefined || !plan.readsEvents
      ? plan
      : compileBehind(options.before, queryString, options);
  } catch (error) {
    const phrase = error instanceof QueryError ? explain(queryString, error.span) : undefined;
    if (phrase === undefined) throw error;
    throw new QueryError(phrase.message.replace(/\.$/, ''), queryString, phrase.span);
  }
}

function compileBehind(before: string | undefined, queryString: string, options: CompileOptions): Plan {
  const compilation = new Compilation(options.library ?? emptyLibrary);
  const draft = new PlanDraft();
  const given = Object.entries(options.arguments ?? {});
  const compilerOf = (source: string, tree: PipelineNode): Compiler =>
    new Compiler({ source, tree, compilation, draft, given });
  const tree = parse(queryString);
  for (const { message } of [...diagnose(queryString, tree), ...checkFields(tree, queryString)]) {
    draft.warnings.add(message);
  }
  const compiler = compilerOf(queryString, tree);
  if (before === undefined) return compilePlan(tree, compiler, compilation);
  const treeBefore = parse(before);
  const compilerBefore = compilerOf(before, treeBefore);
  return compilePlan(tree, compiler, compilation, () =>
    treeBefore.steps.flatMap((node) => compilerBefore.nextStep(node)),
  );
}
