/** How to fix a rejected request whose reason does not say it. */
export function fixOf(status: number, token: string): string {
  if (status === 401 && token === 'no token') return 'Send the header "Authorization: Bearer <token>".';
  if (status === 401)
    return 'Use a token of this server: "logclient serve --env" prints them. A server that is started without its --data-dir or --user-token has new ones.';
  if (status === 403)
    return 'An ingest token can only write, and only to its own repository. Use the user token for everything else.';
  return FIXES[status] ?? (status >= 500 ? '' : REQUEST_FIX);
}

const REQUEST_FIX = 'Correct the request. A request that fails stores nothing.';

const FIXES: Readonly<Record<number, string>> = {
  404: 'Check the address and the name of the repository.',
  405: 'Check the address and the method of the request.',
  413: 'Send smaller requests, or start the server with a larger "maxRequestBytes".',
  429: 'Send fewer requests.',
};
