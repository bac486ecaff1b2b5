import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Scalar } from 'yaml';
import type { EmbeddedQuery, FileQueries } from './embedded-query.ts';
import { isQueryMember, type Member, mayHaveQueries, textOf } from './query-members.ts';
import { scalarText } from './scalar-text.ts';

/** Finds the queries in a YAML or JSON file. @param keys names of further members that are queries */
export function queriesInYaml(text: string, keys: readonly string[], isJson: boolean): FileQueries {
  if (!mayHaveQueries(text, keys)) return { queries: [] };
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const parsed = parseAllDocuments(text, options);
  const documents: Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  const found = new Map<Scalar, EmbeddedQuery>();
  const context = { text, keys, isJson, found };
  for (const document of documents) collect(document.contents, [], { ...context, document });
  const queries = [...found.values()].sort((a, b) => a.offset - b.offset);
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error === undefined) return { queries };
  return { queries: [], error: { offset: error.pos[0], message: error.message } };
}

interface Context {
  readonly text: string;
  readonly keys: readonly string[];
  readonly isJson: boolean;
  readonly document: Document.Parsed;
  readonly found: Map<Scalar, EmbeddedQuery>;
}

function collect(node: unknown, path: readonly string[], context: Context): void {
  if (isSeq(node)) for (const item of node.items) collect(item, path, context);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    const name = textOf(key);
    const { keys, isJson, document } = context;
    const member: Member = { name, map: node, path, root: document.contents, isJson };
    if (isQueryMember(member, keys)) addQuery(value, member, context);
    collect(value, [...path, name], context);
  }
}

function addQuery(
  value: unknown,
  { map, path }: Member,
  { text, keys, isJson, document, found }: Context,
): void {
  const isShared = isAlias(value) || (isScalar(value) && value.anchor !== undefined);
  const scalar = isAlias(value) ? value.resolve(document) : value;
  if (!isScalar(scalar) || textOf(scalar).trim() === '') return;
  const place = scalarText(text, scalar as Scalar<string>, isJson);
  const name = textOf(map.get('name', true)) || textOf(map.get('title', true)) || path.at(-1);
  found.set(scalar, {
    ...place,
    ...(isShared && { kind: 'fixed', reason: 'it has an anchor' }),
    query: textOf(scalar),
    values: [],
    depth: 0,
    ...(name !== undefined && { name }),
    read: (other) => queriesInYaml(other, keys, isJson).queries,
  });
}
