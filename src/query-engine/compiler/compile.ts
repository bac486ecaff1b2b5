import { diagnose, explain } from '../../query-language/diagnostics/diagnose.ts';
import { checkFields } from '../../query-language/diagnostics/pipeline-checks.ts';
import { type PipelineNode, parse } from '../../query-language/index.ts';
import { QueryError } from '../query-error.ts';
import { emptyLibrary, type QueryLibrary } from '../query-library.ts';
import type { Plan } from '../run/plan.ts';
import { PlanDraft } from '../signature/plan-draft.ts';
import { Compilation } from './compilation.ts';
import { compilePlan } from './compile-plan.ts';
import { Compiler } from './compiler.ts';

export interface CompileOptions {
  /** Values for `?name` in the query. A parameter without value and default is `*`. @default {} */
  readonly arguments?: Readonly<Record<string, string>>;
  /** The lookup files and saved queries that the query can name. Default: none. */
  readonly library?: QueryLibrary;
  /**
   * A query of filters that events have to pass before any step of this one; its rows of their own, such as those of
   * `createEvents()`, need not. Default: none.
   */
  readonly before?: string | undefined;
}

/**
 * Compiles a query.
 *
 * @throws QuerySyntaxError when the text can't be parsed.
 * @throws QueryError when it can't be run: an unknown function or file, a wrong argument, a bad regular expression.
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
