import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { callRest, graphql } from './service-calls.ts';

let server: Awaited<ReturnType<typeof startLocalServer>>;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };

function addUser(body: unknown): Promise<Response> {
  return callRest(server, 'users', { method: 'POST', headers: json, body: JSON.stringify(body) });
}

describe('Users REST API', () => {
  it('lists the built-in root user from the start', async () => {
    const [root] = (await (await callRest(server, 'users')).json()) as Record<string, unknown>[];
    expect(root).toMatchObject({ userID: expect.any(String), email: 'developer@localhost', isRoot: true });
  });

  it('adds a user only once when asked repeatedly', async () => {
    const first = (await (await addUser({ email: 'ada@example.org', isRoot: false })).json()) as {
      userID: string;
    };
    const again = (await (await addUser({ email: 'ada@example.org' })).json()) as { userID: string };
    expect(first).toMatchObject({ email: 'ada@example.org', username: 'ada@example.org', isRoot: false });
    expect(again.userID).toBe(first.userID);
    const listed = (await (await callRest(server, 'users')).json()) as { email: string }[];
    expect(listed.filter(({ email }) => email === 'ada@example.org')).toHaveLength(1);
  });

  it('removes a user by ID and returns it, then responds with a 404', async () => {
    const { userID } = (await (await addUser({ email: 'gone@example.org' })).json()) as { userID: string };
    const removed = await callRest(server, `users/${userID}`, { method: 'DELETE' });
    expect(await removed.json()).toMatchObject({ userID, email: 'gone@example.org' });
    const again = await callRest(server, `users/${userID}`, { method: 'DELETE' });
    expect(again.status).toBe(404);
    expect(await again.text()).toMatch(/^The requested resource could not be found\./);
  });

  it('rejects removal of the root user with a 400', async () => {
    const [root] = (await (await callRest(server, 'users')).json()) as { userID: string }[];
    const response = await callRest(server, `users/${root!.userID}`, { method: 'DELETE' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("can't be removed");
  });

  it.each([
    ['no JSON', '{"email"', /^The request content was malformed:\n/],
    ['no object', '["ada@example.org"]', /Expected a JSON object/],
    ['no e-mail address', '{"isRoot": true}', /'email'/],
    ['an e-mail address that is no text', '{"email": 7}', /'email'/],
    ['an empty e-mail address', '{"email": " "}', /email must not be empty/],
    ['isRoot as text', '{"email": "a@b.c", "isRoot": "yes"}', /'isRoot'/],
  ])('rejects %s with a 400 and a reason', async (_, body, text) => {
    const response = await callRest(server, 'users', { method: 'POST', headers: json, body });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await response.text()).toMatch(text);
  });

  it("rejects an ingest token with a 403 and the service's message", async () => {
    const response = await callRest(server, 'users', {
      headers: { authorization: `Bearer ${server.ingestToken}` },
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await response.text()).toBe(
      'The supplied authentication is not authorized to access this resource',
    );
  });

  it('rejects a request without a token with a 401', async () => {
    const response = await fetch(`${server.url}/api/v1/users`);
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('requires authentication');
  });
});

describe('Users GraphQL API', () => {
  it('adds, updates, finds and removes a user', async () => {
    const added = await graphql(
      server,
      `mutation ($username: String!, $email: String) {
         addUserV2(input: {username: $username, email: $email, isRoot: false, fullName: "Grace H"}) {
           ... on User { id username email displayName isOrgRoot groups { id } }
         }
       }`,
      { username: 'grace', email: 'grace@example.org' },
    );
    const { id, ...user } = added.data.addUserV2;
    expect(user).toEqual({
      username: 'grace',
      email: 'grace@example.org',
      displayName: 'Grace H',
      isOrgRoot: false,
      groups: [],
    });
    const again =
      'mutation ($n: String!, $e: String) { addUserV2(input: {username: $n, email: $e}) { ... on User { id } } }';
    for (const known of [{ n: 'grace' }, { n: 'other', e: 'grace@example.org' }]) {
      expect((await graphql(server, again, known)).data.addUserV2.id).toBe(id);
    }

    const changed = await graphql(
      server,
      'mutation ($id: String!) { updateUserById(input: {userId: $id, company: "Navy"}) { user { company username } } }',
      { id },
    );
    expect(changed.data.updateUserById.user).toEqual({ company: 'Navy', username: 'grace' });
    const renamed = await graphql(
      server,
      'mutation { updateUser(input: {username: "grace", firstName: "G"}) { __typename } }',
    );
    expect(renamed.errors).toBeUndefined();

    const found = await graphql(server, '{ users(search: "GRACE") { id firstName } }');
    expect(found.data.users).toEqual([{ id, firstName: 'G' }]);

    const removed = await graphql(
      server,
      'mutation { removeUser(input: {username: "grace"}) { user { id } } }',
    );
    expect(removed.data.removeUser.user.id).toBe(id);
    expect(
      (await graphql(server, 'query ($id: String!) { user(id: $id) { id } }', { id })).data.user,
    ).toBeNull();
  });

  it('pages and sorts users', async () => {
    for (const name of ['u1', 'u3', 'u2']) {
      await graphql(server, 'mutation ($n: String!) { addUserV2(input: {username: $n}) { __typename } }', {
        n: name,
      });
    }
    const { data } = await graphql(
      server,
      `{ usersPage(search: "u", pageNumber: 1, pageSize: 2, orderBy: {userField: USERNAME, order: DESC}) {
           pageInfo { number totalNumberOfRows total } page { username } } }`,
    );
    expect(data.usersPage.pageInfo).toEqual({ number: 1, totalNumberOfRows: 3, total: 2 });
    expect(data.usersPage.page).toEqual([{ username: 'u3' }, { username: 'u2' }]);
  });

  it('returns the current user', async () => {
    const { data } = await graphql(
      server,
      '{ currentUser { username isRoot } viewer { username isOrganizationRoot } }',
    );
    expect(data).toEqual({
      currentUser: { username: 'developer', isRoot: true },
      viewer: { username: 'developer', isOrganizationRoot: true },
    });
  });

  it('rejects an email address that another user has', async () => {
    const add =
      'mutation ($n: String!, $e: String) { addUserV2(input: {username: $n, email: $e}) { ... on User { id } } }';
    await graphql(server, add, { n: 'first', e: 'same@example.org' });
    const { data } = await graphql(server, add, { n: 'second', e: 'other@example.org' });
    const { errors } = await graphql(
      server,
      'mutation ($id: String!) { updateUserById(input: {userId: $id, email: "same@example.org"}) { user { id } } }',
      { id: data.addUserV2.id },
    );
    expect(errors![0]).toMatchObject({
      message: 'Another user already has this email.',
      state: { email: 'taken' },
    });
  });
});
