/** What an example searches. */
export interface SearchedEvents {
  readonly repository: string;
  readonly start: number;
  readonly end: number;
  /** Times that events have only because stored events need one; the pages don't print them. */
  readonly madeUpTimes: readonly string[];
}

type Row = Readonly<Record<string, string>>;

interface JobAnswer {
  readonly done: boolean;
  readonly events: readonly Readonly<Record<string, string | number>>[];
}

/**
 * The rows of a query as the pages print them.
 *
 * @throws Error with what is wrong with the query
 */
export async function rowsOfAnswer(
  send: typeof fetch,
  base: string,
  queryString: string,
  { repository, start, end, madeUpTimes }: SearchedEvents,
): Promise<readonly Row[]> {
  const path = `${base}api/v1/repositories/${repository}/queryjobs`;
  const body = JSON.stringify({ queryString, start, end });
  const created = await send(path, { method: 'POST', body });
  if (!created.ok) throw new Error(await created.text());
  const { id } = (await created.json()) as { id: string };
  for (;;) {
    const answer = (await (await send(`${path}/${id}`)).json()) as JobAnswer;
    if (!answer.done) continue;
    return answer.events.map((row) => {
      const { '@timestamp': time, ...fields } = row;
      const shown = time === undefined || madeUpTimes.includes(String(time)) ? fields : row;
      return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, String(value)]));
    });
  }
}
