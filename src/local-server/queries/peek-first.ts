/**
 * Makes the first piece of a stream before its answer begins: what fails until then can still be told with a status.
 *
 * @throws what the making of that piece throws.
 */
export async function peekFirst(pieces: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const { value, done } = await pieces.next();
  return done === true ? pieces : resumed(value, pieces);
}

/** What has been taken from a stream, and the rest of it. */
export async function* resumed(taken: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield taken;
  yield* rest;
}
