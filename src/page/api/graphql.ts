import { ApiError, type Http } from './http.ts';

/** @throws ApiError for errors, which GraphQL sends with status 200. */
export async function graphql<Data>(http: Http, query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = await http.json<{ data: Data; errors?: { message: string }[] }>(
    'POST',
    'graphql',
    {
      body: { query, variables },
    },
  );
  if (errors !== undefined && errors.length > 0) throw new ApiError(200, errors[0]!.message);
  return data;
}
