import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../fixtures/tls');

/** A self-signed certificate for `localhost`, `127.0.0.1` and `logscale.test`. */
export const CA_FILE = resolve(FOLDER, 'self-signed.pem');
export const CA = readFileSync(CA_FILE, 'utf8');

/** Options of an `https` server with that certificate. */
export const SELF_SIGNED = { key: readFileSync(resolve(FOLDER, 'self-signed.key')), cert: CA };
