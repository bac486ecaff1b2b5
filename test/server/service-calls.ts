/** What the tests need from a running server. */
export interface CalledServer {
  readonly url: string;
  readonly repository: string;
  readonly userToken: string;
}

export interface GraphqlTestAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it has asked for.
  readonly data: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: readonly { readonly line: number; readonly column: number }[];
    readonly state: Readonly<Record<string, string>>;
  }[];
}

/** A REST call of a client, with the user token unless `init` has another. */
export function callRest(server: CalledServer, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${server.userToken}`, ...(init.headers as Record<string, string>) },
  });
}

/** Posts a JSON body to `/graphql`, and returns the response unchanged. */
export function postGraphql(
  server: CalledServer,
  body: unknown,
  token = server.userToken,
): Promise<Response> {
  return fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A GraphQL request, which must get status 200. */
export async function graphql(
  server: CalledServer,
  query: string,
  variables: Record<string, unknown> | null = null,
): Promise<GraphqlTestAnswer> {
  const response = await postGraphql(server, { query, variables });
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  return (await response.json()) as GraphqlTestAnswer;
}

/** Uploads a lookup file like a browser or `requests`. */
export function uploadFile(
  server: CalledServer,
  name: string,
  content: string | Uint8Array,
): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  return callRest(server, `repositories/${server.repository}/files`, { method: 'POST', body: form });
}
