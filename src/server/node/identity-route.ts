import type { Hono } from 'hono';
import {
  endsSeenByServer,
  isNonce,
  NONCE_HEADER,
  PROOF_HEADER,
  PROOF_PATH,
  proofOf,
} from '../../core/discovery/server-proof.ts';
import { environmentOf } from '../environment.ts';
import { HttpError } from '../http/http-error.ts';
import { SocketConnection } from './socket-connection.ts';

/** `GET /instance`: proves to a program that has read the state file that this is the server of that file. */
export function identityRoute(app: Hono, secret: string): void {
  app.get(PROOF_PATH, (c) => {
    const nonce = c.req.header(NONCE_HEADER);
    if (!isNonce(nonce))
      throw new HttpError(400, `Send a nonce of 43 characters in the header ${NONCE_HEADER}.`);
    const { connection } = environmentOf(c);
    if (!(connection instanceof SocketConnection)) {
      throw new HttpError(400, 'The proof is for connections over a socket.');
    }
    return c.body(null, 204, {
      [PROOF_HEADER]: proofOf(secret, nonce, endsSeenByServer(connection.incoming.socket)),
    });
  });
}
