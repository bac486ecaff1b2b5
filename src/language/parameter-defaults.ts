import type { PipelineNode } from './ast.ts';
import { walk } from './walk.ts';

type Defaults = Map<string, string | undefined>;

/**
 * The parameters of a query, each with its default. If a parameter has several defaults, the first one applies everywhere.
 *
 * @param savedQuery finds the saved queries that the query calls: their parameters follow. An argument is a default
 */
export function parameterDefaults(
  tree: PipelineNode,
  savedQuery?: (name: string) => PipelineNode | undefined,
): ReadonlyMap<string, string | undefined> {
  const all: Defaults = new Map();
  const trees = new Map([['', tree]]);
  const given = new Set<string | undefined>();
  for (const each of trees.values()) {
    const own: Defaults = new Map();
    const isGiven = new Set(given);
    walk(each, {
      Parameter: ({ name, defaultValue }) => void own.set(name, own.get(name) ?? defaultValue?.text),
      SavedQuery({ name, arguments: values }) {
        for (const value of values) given.add(value.name?.name);
        const called = trees.has(name) ? undefined : savedQuery?.(name);
        if (called !== undefined) trees.set(name, called);
      },
    });
    for (const [name, text] of own)
      if (!all.has(name)) all.set(name, text ?? (isGiven.has(name) ? '' : undefined));
  }
  return all;
}
