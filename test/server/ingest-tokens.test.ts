import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { graphql } from './service-calls.ts';

let server: Awaited<ReturnType<typeof startLocalServer>>;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

const ADD = `mutation ($RepositoryName: String!, $Name: String!, $ParserName: String, $Token: String) {
  addIngestTokenV3(input: {repositoryName: $RepositoryName, name: $Name, parser: $ParserName, customToken: $Token}) {
    name token parser { name } } }`;

function add(name: string, more: Record<string, unknown> = {}) {
  return graphql(server, ADD, { RepositoryName: 'sandbox', Name: name, ...more });
}

async function tokenNamed(name: string): Promise<Record<string, unknown> | undefined> {
  const { data } = await graphql(
    server,
    '{ repository(name: "sandbox") { ingestTokens { name token parser { name } } } }',
  );
  return data.repository.ingestTokens.find((token: { name: string }) => token.name === name);
}

describe('Ingest tokens', () => {
  it('are random by default, or equal to customToken', async () => {
    const random = (await add('random')).data.addIngestTokenV3;
    expect(random).toEqual({
      name: 'random',
      token: expect.stringMatching(/^[A-Za-z0-9]{24}~[A-Za-z0-9]{44}$/),
      parser: null,
    });
    expect((await add('chosen', { Token: 'my-own' })).data.addIngestTokenV3.token).toBe('my-own');
    expect(await tokenNamed('random')).toEqual(random);
  });

  it('can be assigned a parser, then another one, then none', async () => {
    expect((await add('parsing', { ParserName: 'json' })).data.addIngestTokenV3.parser).toEqual({
      name: 'json',
    });
    const assigned = await graphql(
      server,
      `mutation { assignParserToIngestTokenV2(input: {repositoryName: "sandbox", tokenName: "parsing", parser: "builtin-kv"}) { parser { name } } }`,
    );
    expect(assigned.data.assignParserToIngestTokenV2.parser).toEqual({ name: 'kv' });
    await graphql(
      server,
      'mutation { unassignIngestToken(repositoryName: "sandbox", tokenName: "parsing") { __typename } }',
    );
    expect(await tokenNamed('parsing')).toMatchObject({ parser: null });
  });

  it('can be removed only once', async () => {
    await add('removed');
    const remove =
      'mutation { removeIngestToken(repositoryName: "sandbox", name: "removed") { __typename } }';
    expect((await graphql(server, remove)).errors).toBeUndefined();
    expect(await tokenNamed('removed')).toBeUndefined();
    expect((await graphql(server, remove)).errors![0]!.message).toBe('No ingest token with name "removed"');
  });

  it('cannot be used by a second repository', async () => {
    await add('mine', { Token: 'shared-token' });
    await graphql(server, 'mutation { createRepository(name: "other") { repository { name } } }');
    const { errors } = await add('theirs', { RepositoryName: 'other', Token: 'shared-token' });
    expect(errors![0]).toMatchObject({
      message: 'This token is already in use.',
      state: { customToken: 'taken' },
    });
  });

  it.each([
    ['a name that is taken', 'taken', {}, /An ingest token with this name already exists/],
    ['an empty name', '', {}, /must not be empty/],
    [
      'a parser that is not there',
      'p',
      { ParserName: 'nosuch' },
      /no such parser.*accesslog, audit-log, default, json, json-for-action, kv, syslog, syslog-utc/,
    ],
    ['a token with a space', 't', { Token: 'secret word' }, /printable ASCII/],
    ['an unknown repository', 'r', { RepositoryName: 'nowhere' }, /Could not find/],
  ])('are rejected for %s, with an error that does not show the token', async (_, name, more, message) => {
    await add('taken');
    const { errors } = await add(name, more);
    expect(errors![0]!.message).toMatch(message);
    expect(JSON.stringify(errors)).not.toContain('secret');
  });
});
