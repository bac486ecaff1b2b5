import { SERVICE_VERSION } from '../service-version.ts';
import type { GraphqlArea, GraphqlContext } from './area.ts';

const NODE_ID = 1;
const GB = 1e9;

/** The numbers of a cluster whose only node keeps data of this size. */
const clusterNumbers = (size: number) => ({
  clusterInfoAgeSeconds: 0,
  underReplicatedSegmentSize: 0,
  overReplicatedSegmentSize: 0,
  missingSegmentSize: 0,
  properlyReplicatedSegmentSize: size,
  targetUnderReplicatedSegmentSize: 0,
  targetOverReplicatedSegmentSize: 0,
  targetMissingSegmentSize: 0,
  targetProperlyReplicatedSegmentSize: size,
});
const nodeNumbers = (size: number, capacity: number) => ({
  clusterInfoAgeSeconds: 0,
  inboundSegmentSize: 0,
  outboundSegmentSize: 0,
  currentSize: size,
  primarySize: size,
  totalSizeOfPrimary: capacity,
  freeOnPrimary: Math.max(0, capacity - size),
  secondarySize: 0,
  totalSizeOfSecondary: 0,
  freeOnSecondary: 0,
  wipSize: 0,
  targetSize: size,
  solitarySegmentSize: size,
});

/** A cluster of one node, and its license. */
export const clusterArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    "Sizes are in GB."
    type Cluster {
      ${sdlOf(clusterNumbers(0))} nodes: [ClusterNode!]! ingestPartitions: [IngestPartition!]!
    }

    type IngestPartition { id: Int! nodeIds: [Int!]! }

    type ClusterNode {
      ${sdlOf(nodeNumbers(0, 0))} id: Int! name: String! zone: String uri: String! uuid: String! humioVersion: String!
      canBeSafelyUnregistered: Boolean! reasonsNodeCannotBeSafelyUnregistered: ReasonsNodeCannotBeSafelyUnregistered!
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
    ...clusterNumbers(bytes / GB),
    nodes: [nodeOf(context, bytes / GB)],
    ingestPartitions: [{ id: 0, nodeIds: [NODE_ID] }],
  };
}

function nodeOf({ clock, instanceId, options, origin, repositories }: GraphqlContext, size: number): unknown {
  const capacity = (options.maxBytes * repositories.list().length) / GB;
  return {
    ...nodeNumbers(size, capacity),
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
    isAvailable: true,
    isBeingEvicted: false,
    lastHeartbeat: new Date(clock.now()).toISOString(),
  };
}

function sdlOf(numbers: Readonly<Record<string, number>>): string {
  return Object.keys(numbers)
    .map((name) => `${name}: Float!`)
    .join(' ');
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
