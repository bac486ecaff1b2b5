import { isMap, isScalar, type YAMLMap } from 'yaml';

/** A member of a mapping, and where it is. */
export interface Member {
  readonly name: string;
  readonly map: YAMLMap;
  /** The names of the mappings around it, from the root; items of lists have none. */
  readonly path: readonly string[];
  readonly root: unknown;
  readonly isJson: boolean;
}

/** Matches files that can have queries. Others need not be parsed. */
export function mayHaveQueries(text: string, keys: readonly string[]): boolean {
  const names = ['queryString', 'cql', 'query', 'filter', 'script', ...keys.map(lastName)];
  return names.some((name) => text.includes(name));
}

/**
 * Whether a member of YAML or JSON is a query: in packages of LogScale, collections of detections, and exported
 * correlation rules.
 *
 * @param keys further names; `rule.condition` is the member `condition` of a mapping `rule`
 */
export function isQueryMember(member: Member, keys: readonly string[]): boolean {
  const { name, map, path, root, isJson } = member;
  if (name === 'queryString' || name === 'cql') return true;
  if (keys.some((key) => [...path, name].join('.').endsWith(key) && lastName(key) === name)) return true;
  if (name === 'query') return schemaOf(root) !== '' || (path.length === 0 && !isJson);
  // Correlation rules, which can have our tests. Other files have filters, too.
  if (name === 'filter') {
    const settings = ['outcome', 'lookback', 'trigger_mode', 'use_ingest_time', 'execution_mode'];
    const isRule = settings.some((each) => map.has(each)) || (isMap(root) && root.has('tests'));
    return path.at(-1) === 'search' && isRule;
  }
  return name === 'script' && map === root && isParser(map);
}

/** Whether a mapping is the template of a parser. */
export function isParser(map: YAMLMap): boolean {
  const members = ['testCases', 'tagFields', 'fieldsToBeRemovedBeforeParsing'];
  return map.has('script') && (schemaOf(map).includes('/parser') || members.some((each) => map.has(each)));
}

function schemaOf(root: unknown): string {
  const schema = isMap(root) ? textOf(root.get('$schema', true)) : '';
  return schema.includes('humio.com/') || schema.includes('logscale') ? schema : '';
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** The string of a scalar. */
export function textOf(node: unknown): string {
  return isScalar(node) && typeof node.value === 'string' ? node.value : '';
}
