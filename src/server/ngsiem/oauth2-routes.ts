import type { Context, Hono } from 'hono';
import { auth } from 'hono/utils/basic-auth';
import { isSameSecret } from '../http/authentication.ts';
import { readText } from '../http/request-body.ts';
import type { AccessTokens } from './access-tokens.ts';
import { FalconError, metaOf } from './falcon-error.ts';
import type { NgsiemAccess } from './ngsiem-access.ts';
import type { ResolvedNgsiemOptions } from './ngsiem-options.ts';

const MAX_FORM_BYTES = 65_536;

const CLIENT_FIX =
  'Use the client ID and secret of this server: "logclient serve --env" prints them. Without --data-dir, each start has new ones.';
const MEMBER_FIX = 'Send no member_cid, or set the option "ngsiem.memberCid" of the server.';

/** The API client that can get access tokens. */
type ApiClient = Pick<ResolvedNgsiemOptions, 'memberCid'> & Pick<NgsiemAccess, 'clientId' | 'clientSecret'>;

/** `/oauth2/token` issues access tokens for client credentials; `/oauth2/revoke` revokes them. */
export function oauth2Routes(app: Hono, client: ApiClient, tokens: AccessTokens): void {
  app.post('/oauth2/token', async (c) => {
    const form = await readForm(c);
    const clientId = required(form, 'client_id');
    const clientSecret = required(form, 'client_secret');
    const grantType = form.get('grant_type') ?? 'client_credentials';
    if (grantType !== 'client_credentials') {
      throw failure(400, `The grant_type must be client_credentials (got ${JSON.stringify(grantType)}).`, '');
    }
    requireClient(client, clientId, clientSecret);
    const memberCid = form.get('member_cid') ?? '';
    if (memberCid !== '' && memberCid !== client.memberCid) {
      const message = `Failed to generate access token for customer ID=${JSON.stringify(memberCid)}`;
      throw failure(403, message, MEMBER_FIX);
    }
    const { token, expiresIn } = await tokens.issue();
    return c.json({ access_token: token, expires_in: expiresIn, token_type: 'bearer' }, 201);
  });

  app.post('/oauth2/revoke', async (c) => {
    const form = await readForm(c);
    const basic = auth(c.req.raw);
    const clientId = basic?.username ?? required(form, 'client_id');
    const clientSecret = basic?.password ?? required(form, 'client_secret');
    requireClient(client, clientId, clientSecret);
    tokens.revoke(required(form, 'token'));
    return c.json({ meta: metaOf('csam'), errors: [] });
  });
}

function requireClient(client: ApiClient, clientId: string, clientSecret: string): void {
  if (isSameSecret(clientId, client.clientId) && isSameSecret(clientSecret, client.clientSecret)) return;
  throw failure(403, 'Failed to issue access token - Not Authorized', CLIENT_FIX);
}

async function readForm(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(c, MAX_FORM_BYTES));
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? '';
  if (value !== '') return value;
  throw failure(400, `The form field ${name} is missing. Send application/x-www-form-urlencoded.`, '');
}

function failure(status: number, message: string, fix: string): FalconError {
  return new FalconError(status, message, { component: 'csam', fix });
}
