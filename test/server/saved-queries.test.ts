import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { graphql } from './service-calls.ts';

let server: Awaited<ReturnType<typeof startLocalServer>>;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

const CREATE = `mutation ($input: CreateSavedQueryInput!) { createSavedQuery(input: $input) {
  savedQuery { id name displayName description labels query { queryString start end isLive arguments { key value } } } } }`;

function create(input: Record<string, unknown>) {
  return graphql(server, CREATE, { input: { viewName: 'sandbox', queryString: '*', ...input } });
}

describe('Saved queries', () => {
  it('are created with the defaults of the service', async () => {
    const { data } = await create({
      name: 'errors',
      queryString: 'level=error',
      description: 'all errors',
      labels: ['a'],
    });
    expect(data.createSavedQuery.savedQuery).toEqual({
      id: expect.any(String),
      name: 'errors',
      displayName: 'errors',
      description: 'all errors',
      labels: ['a'],
      query: { queryString: 'level=error', start: '24hours', end: 'now', isLive: false, arguments: [] },
    });
  });

  it('keep the fields that an update omits or sets to null', async () => {
    const { data } = await create({
      name: 'slow',
      queryString: 'ms > 100',
      start: '1h',
      isLive: true,
      widgetType: 'table',
      options: '{ "columns": ["ms"] }',
    });
    const { id } = data.createSavedQuery.savedQuery;
    const updated = await graphql(
      server,
      `mutation ($id: String!, $q: String) { updateSavedQuery(input: {id: $id, viewName: "sandbox", queryString: $q, name: null}) {
         savedQuery { name widgetType options query { queryString start isLive } } } }`,
      { id, q: 'ms > 200' },
    );
    expect(updated.data.updateSavedQuery.savedQuery).toEqual({
      name: 'slow',
      widgetType: 'table',
      options: { columns: ['ms'] },
      query: { queryString: 'ms > 200', start: '1h', isLive: true },
    });
  });

  it('are found by id and listed through repository and searchDomain', async () => {
    const { data } = await create({ name: 'listed' });
    const { id } = data.createSavedQuery.savedQuery;
    const found = await graphql(
      server,
      `query ($id: String!) { searchDomain(name: "sandbox") { savedQuery(id: $id) { name } savedQueries { id } }
         repository(name: "sandbox") { savedQueries { id } } }`,
      { id },
    );
    expect(found.data.searchDomain.savedQuery.name).toBe('listed');
    expect(found.data.searchDomain.savedQueries).toContainEqual({ id });
    expect(found.data.repository.savedQueries).toEqual(found.data.searchDomain.savedQueries);
  });

  it('can be deleted only once', async () => {
    const { data } = await create({ name: 'deleted' });
    const input = { id: data.createSavedQuery.savedQuery.id, viewName: 'sandbox' };
    const remove =
      'mutation ($input: DeleteSavedQueryInput!) { deleteSavedQuery(input: $input) { result savedQuery { name } } }';
    expect((await graphql(server, remove, { input })).data.deleteSavedQuery).toEqual({
      result: true,
      savedQuery: { name: 'deleted' },
    });
    expect((await graphql(server, remove, { input })).errors![0]!.state).toEqual({ id: 'not found' });
  });

  it.each([
    ['a name that is taken', { name: 'taken' }, /A saved query with this name already exists/],
    ['an empty name', { name: ' ' }, /must not be empty/],
    [
      'a query of more than 66,000 characters',
      { name: 'long', queryString: 'x'.repeat(66_001) },
      /longer than 66000/,
    ],
    [
      'options of which no end is in sight',
      { name: 'deep', options: '['.repeat(500) + ']'.repeat(500) },
      /JSON of up to 100 levels/,
    ],
    ['options that are not JSON', { name: 'broken', options: '{' }, /options must be JSON/],
    ['an unknown view', { name: 'n', viewName: 'nowhere' }, /"nowhere"/],
  ])('reject %s', async (_, input, message) => {
    await create({ name: 'taken' });
    expect((await create(input)).errors![0]!.message).toMatch(message);
  });
});
