import type { PipelineNode } from './ast.ts';
import { walk } from './walk.ts';

/** The parameters of a query, each with its default. If a parameter has several defaults, the first one applies everywhere. */
export function parameterDefaults(tree: PipelineNode): ReadonlyMap<string, string | undefined> {
  const defaults = new Map<string, string | undefined>();
  walk(tree, {
    Parameter: ({ name, defaultValue }) => void defaults.set(name, defaults.get(name) ?? defaultValue?.text),
  });
  return defaults;
}
