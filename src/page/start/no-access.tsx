import type { JSX } from 'preact';
import { token } from '../state/page-state.ts';
import { problem } from '../state/results.ts';
import { serviceUrl } from '../state/service.ts';

/** Shown if the server rejects the token: which command opens the page with a valid one. */
export function NoAccess(): JSX.Element {
  return (
    <main class="start">
      <h1>{token.value === '' ? 'This page needs a token' : 'The server rejected the token'}</h1>
      {serviceUrl === undefined ? (
        <>
          <p>
            Start the server with <code>npx logclient serve --open</code>, or open the link <b>page</b> that{' '}
            <code>npx logclient serve</code> or <code>npx logclient view</code> printed: it contains the
            token.
          </p>
          <p>
            If the server is running, <code>npx logclient serve --env</code> prints its token as{' '}
            <b>LOGSCALE_TOKEN</b>. Add it to the address: <code>#token=…</code>
          </p>
          {token.value !== '' && <p class="dim">{problem.value?.message}</p>}
        </>
      ) : (
        <p>
          Open the link <b>page</b> that <code>npx logclient ui</code> printed: it contains the token. Each
          start of the command has another one.
        </p>
      )}
    </main>
  );
}
