import { parse } from '../../query-language/index.ts';
import { emptyLibrary, type QueryLibrary } from '../query-library.ts';
import { Compilation } from './compilation.ts';
import { compilePlan } from './compile-plan.ts';
import { Compiler } from './compiler.ts';
import type { Plan } from './plan.ts';
import { PlanDraft } from './plan-draft.ts';

export interface CompileOptions {
  /** Values for `?name` in the query. A parameter without value and default is `*`. @default {} */
  readonly arguments?: Readonly<Record<string, string>>;
  /** The lookup files and saved queries that the query can name. Default: none. */
  readonly library?: QueryLibrary;
}

/**
 * Compiles a query.
 *
 * @throws QuerySyntaxError when the text can't be parsed.
 * @throws QueryError when it can't be run: an unknown function or file, a wrong argument, a bad regular expression.
 */
export function compileQuery(queryString: string, options: CompileOptions = {}): Plan {
  const tree = parse(queryString);
  const compilation = new Compilation(options.library ?? emptyLibrary);
  const compiler = new Compiler({
    source: queryString,
    tree,
    compilation,
    draft: new PlanDraft(),
    given: Object.entries(options.arguments ?? {}),
  });
  return compilePlan(tree, compiler, compilation);
}
