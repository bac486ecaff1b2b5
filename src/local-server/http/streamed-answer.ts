/** The answer with another body, whose bytes go out as they come. */
export function streamedAnswer({ status, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  const streamed = new Headers(headers);
  streamed.delete('content-length');
  // Says to the HTTP adapter that it should not wait for the end to count the bytes.
  streamed.set('transfer-encoding', 'chunked');
  return new Response(body, { status, headers: streamed });
}
