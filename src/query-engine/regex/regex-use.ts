import { type PipelineNode, walk } from '../../query-language/index.ts';
import { findFunction } from '../functions/registry.ts';
import { regexSource } from '../signature/argument-types.ts';

/** Whether there is a regular expression in a query. */
export function usesRegex(tree: PipelineNode): boolean {
  let found = false;
  walk(tree, {
    Regex() {
      found = true;
    },
    Call({ name }) {
      const parameters = Object.values(findFunction(name)?.parameters ?? {});
      found ||= parameters.some(({ type }) => type === regexSource);
    },
  });
  return found;
}
