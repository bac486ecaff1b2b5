import { SERVICE_VERSION } from '../service-version.ts';
import type { GraphqlArea, GraphqlContext } from './area.ts';

const NODE_ID = 1;
const GB = 1e9;

/** Values that are always 0 with a single node that keeps all data. */
const CLUSTER_ZEROS = [
  'clusterInfoAgeSeconds',
  'underReplicatedSegmentSize',
  'overReplicatedSegmentSize',
  'missingSegmentSize',
  'targetUnderReplicatedSegmentSize',
  'targetOverReplicatedSegmentSize',
  'targetMissingSegmentSize',
];
const NODE_ZEROS = [
  'clusterInfoAgeSeconds',
  'inboundSegmentSize',
  'outboundSegmentSize',
  'secondarySize',
  'totalSizeOfSecondary',
  'freeOnSecondary',
  'wipSize',
];

/** A cluster of one node, and its license. */
export const clusterArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    "Sizes are in GB."
    type Cluster {
      ${sdlOf(CLUSTER_ZEROS)} nodes: [ClusterNode!]! properlyReplicatedSegmentSize: Float!
      targetProperlyReplicatedSegmentSize: Float! ingestPartitions: [IngestPartition!]!
    }

    type IngestPartition { id: Int! nodeIds: [Int!]! }

    type ClusterNode {
      ${sdlOf(NODE_ZEROS)} id: Int! name: String! zone: String uri: String! uuid: String! humioVersion: String!
      canBeSafelyUnregistered: Boolean! reasonsNodeCannotBeSafelyUnregistered: ReasonsNodeCannotBeSafelyUnregistered!
      currentSize: Float! primarySize: Float! totalSizeOfPrimary: Float! freeOnPrimary: Float!
      targetSize: Float! solitarySegmentSize: Float!
      isAvailable: Boolean! isBeingEvicted: Boolean lastHeartbeat: DateTime!
    }

    type ReasonsNodeCannotBeSafelyUnregistered {
      isAlive: Boolean! leadsDigest: Boolean!
      hasUnderReplicatedData: Boolean! hasDataThatExistsOnlyOnThisNode: Boolean!
    }

    interface License { expiresAt: DateTime! issuedAt: DateTime! }

    type OnPremLicense implements License {
      expiresAt: DateTime! issuedAt: DateTime! uid: String! maxUsers: Int owner: String! isSaaS: Boolean! isOem: Boolean!
    }

    extend type Query {
      cluster: Cluster!
      "A placeholder that doesn't expire: the local server needs no license."
      installedLicense: License
    }
  `,
  operations: { cluster, installedLicense },
};

function cluster(_: unknown, context: GraphqlContext): unknown {
  const bytes = context.repositories.list().reduce((sum, { store }) => sum + store.bytes, 0);
  return {
    ...zeros(CLUSTER_ZEROS),
    nodes: [nodeOf(context, bytes / GB)],
    properlyReplicatedSegmentSize: bytes / GB,
    targetProperlyReplicatedSegmentSize: bytes / GB,
    ingestPartitions: [{ id: 0, nodeIds: [NODE_ID] }],
  };
}

function nodeOf({ clock, instanceId, options, origin, repositories }: GraphqlContext, size: number): unknown {
  const capacity = (options.maxBytes * repositories.list().length) / GB;
  return {
    ...zeros(NODE_ZEROS),
    id: NODE_ID,
    name: 'logclient',
    uri: origin,
    uuid: instanceId,
    humioVersion: SERVICE_VERSION,
    canBeSafelyUnregistered: false,
    reasonsNodeCannotBeSafelyUnregistered: {
      isAlive: true,
      leadsDigest: true,
      hasUnderReplicatedData: false,
      hasDataThatExistsOnlyOnThisNode: true,
    },
    currentSize: size,
    primarySize: size,
    totalSizeOfPrimary: capacity,
    freeOnPrimary: Math.max(0, capacity - size),
    targetSize: size,
    solitarySegmentSize: size,
    isAvailable: true,
    isBeingEvicted: false,
    lastHeartbeat: new Date(clock.now()).toISOString(),
  };
}

function sdlOf(names: readonly string[]): string {
  return names.map((name) => `${name}: Float!`).join(' ');
}

function zeros(names: readonly string[]): Readonly<Record<string, 0>> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

function installedLicense(): unknown {
  return {
    __typename: 'OnPremLicense',
    expiresAt: '9999-12-31T23:59:59Z',
    issuedAt: '2026-01-01T00:00:00Z',
    uid: 'local-server',
    owner: 'logclient',
    isSaaS: false,
    isOem: false,
  };
}
