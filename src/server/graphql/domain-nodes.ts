import { hashing } from '../../engine/index.ts';
import type { IngestToken } from '../registries/ingest-tokens.ts';
import { Repository } from '../repository.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { View } from '../views/view.ts';
import { absentFields } from './absent-areas.ts';
import type { GraphqlContext } from './area.ts';
import { type FieldSearchArguments, listFiles, searchFile } from './files-area.ts';
import { findParser, listParsers, parserNode } from './parsers-area.ts';
import { savedQueryNode } from './saved-queries-area.ts';

export function domainNode(context: GraphqlContext, domain: Repository | View): unknown {
  return domain instanceof Repository ? repositoryNode(context, domain) : viewNode(context, domain);
}

export function repositoryNode(context: GraphqlContext, repository: Repository) {
  return {
    ...commonFields(context, repository),
    __typename: 'Repository',
    ...repository.retention.limits,
    compressedByteSize: () => repository.store.bytes,
    uncompressedByteSize: () => repository.store.bytes,
    ingestTokens: () => repository.ingestTokens.list().map((token) => ingestTokenNode(repository, token)),
    parsers: () => listParsers(repository).map(parserNode),
    parser: (args: Parameters<typeof findParser>[1]) => findParser(repository, args),
  };
}

export function viewNode(context: GraphqlContext, view: View): unknown {
  return {
    ...commonFields(context, view),
    __typename: 'View',
    connections: () =>
      view.connections.map((each) => ({ ...each, repository: repositoryNode(context, each.repository) })),
    isFederated: false,
  };
}

function commonFields(context: GraphqlContext, domain: SearchDomain) {
  const { name, savedQueries } = domain;
  const { description, automaticSearch = true } = context.domainSettings.get(name) ?? {};
  return {
    ...absentFields,
    id: hashing().createHash('sha256').update(name).digest('base64url').slice(0, 24),
    name,
    description,
    isStarred: false,
    automaticSearch,
    files: () => listFiles(domain, context),
    fileFieldSearch: (args: FieldSearchArguments) => searchFile(domain, args),
    savedQueries: () => savedQueries.list().map(savedQueryNode),
    savedQuery: ({ id }: { readonly id: string }) => savedQueryNode(savedQueries.require(id)),
  };
}

export function ingestTokenNode(repository: Repository, { name, token, parser }: IngestToken) {
  const found = listParsers(repository).find((known) => known.name === parser);
  return { name, token, parser: found && parserNode(found) };
}
