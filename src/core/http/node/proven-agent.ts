import http from 'node:http';
import { connect, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FoundServer } from '../../discovery/local-servers.ts';
import { requireProof } from '../../discovery/server-proof.ts';
import { onAbort } from '../../on-abort.ts';
import type { TunnelRequest } from './tunnel-agent.ts';

type AgentOptions = TcpNetConnectOpts & { readonly tunnel?: TunnelRequest };

/** A pending proof must not wait for the timeout of a stream, which can be infinite. */
const PROOF_TIMEOUT_MS = 10_000;

/**
 * Agent whose connections lead to one local server. On each of them, the server first proves its identity, because
 * another program can use its port at any time. Requests, with their credentials, follow on the same connection.
 */
export class ProvenAgent extends http.Agent {
  readonly #server: FoundServer;

  constructor(server: FoundServer, settings: http.AgentOptions) {
    super(settings);
    this.#server = server;
  }

  override createConnection(
    { tunnel, ...options }: AgentOptions,
    connected: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const socket = connect(options);
    if (tunnel?.background) socket.unref();
    const unlink = tunnel && onAbort(tunnel.signal, () => void socket.destroy(tunnel.signal.reason));
    requireProof(socket, this.#server, PROOF_TIMEOUT_MS)
      .finally(unlink)
      .then(
        () => connected(null, socket),
        (error: Error) => (connected as (error: Error) => void)(error),
      );
  }
}
