import type { WorkerContents } from '../../../../src/core/wire/worker-messages.ts';
import { printData } from '../../../../src/page/play/pasted-lines.ts';
import { workerFetch } from '../../../../src/page/play/worker-fetch.ts';
import { exampleOf, FUNCTION_CONTENTS } from './function-examples.ts';
import { rowsText } from './rows-text.ts';
import { rowsOfAnswer, type SearchedEvents } from './run-query.ts';
import { TUTORIAL, TUTORIAL_CONTENTS } from './tutorial-examples.ts';

/** The query of a block of code, and what it searches. */
interface Example {
  readonly query: string;
  readonly searched: SearchedEvents;
  readonly contents: WorkerContents;
}

/** Adds a button to each example of the page. Without it, the examples are as in the Markdown. */
export function makeRunnable(page: Document, base: string): void {
  const blocks = page.querySelectorAll<HTMLElement>('.vp-doc div[class*="language-"]');
  for (const block of blocks) {
    const example = exampleIn(block);
    if (example === undefined || block.nextElementSibling?.className === 'example-run') continue;
    block.after(runBox(example, base));
  }
}

function exampleIn(block: HTMLElement): Example | undefined {
  const text = block.querySelector('code')?.textContent?.trim() ?? '';
  const [, command] = /^npx logclient query '([^']*)'/.exec(text) ?? [];
  if (command !== undefined && isIn(block, 'query-tutorial')) {
    return { query: command, searched: TUTORIAL, contents: TUTORIAL_CONTENTS };
  }
  const name = headingBefore(block);
  if (name === undefined || !block.classList.contains('language-lql') || !isIn(block, 'functions'))
    return undefined;
  return { query: text, searched: exampleOf(name), contents: FUNCTION_CONTENTS };
}

function isIn({ ownerDocument }: HTMLElement, page: string): boolean {
  return new RegExp(`/${page}(?:\\.html)?$`).test(ownerDocument.location.pathname);
}

function headingBefore(block: HTMLElement): string | undefined {
  let element: Element | null = block;
  while (element !== null && element.tagName !== 'H3') element = element.previousElementSibling;
  // The heading also has a link to itself.
  return element?.firstChild?.textContent?.trim();
}

function runBox({ query, searched, contents }: Example, base: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'example-run';
  const run = document.createElement('button');
  run.textContent = 'Edit and run';
  run.onclick = () => {
    const editor = document.createElement('textarea');
    editor.value = query;
    editor.rows = query.split('\n').length;
    editor.setAttribute('aria-label', 'Query');
    const output = document.createElement('pre');
    output.setAttribute('aria-live', 'polite');
    const play = document.createElement('a');
    play.textContent = 'Open in the playground';
    play.target = '_self';
    const show = async (): Promise<void> => {
      output.textContent = 'Running…';
      output.textContent = await outcome(editor.value, searched, contents, base);
      play.href = await playLink(editor.value, searched, contents, base);
    };
    run.textContent = 'Run';
    run.onclick = () => void show();
    box.prepend(editor);
    box.append(play, output);
    void show();
  };
  box.append(run);
  return box;
}

async function outcome(
  query: string,
  searched: SearchedEvents,
  contents: WorkerContents,
  base: string,
): Promise<string> {
  try {
    const rows = await rowsOfAnswer(serverOf(contents, base), location.href, query, searched);
    return rows.length === 0 ? 'The query found nothing.' : rowsText(rows);
  } catch (error) {
    return (error as Error).message;
  }
}

const servers = new Map<WorkerContents, typeof fetch>();

/** Starts a server for the examples of a page when the first one runs. */
function serverOf(contents: WorkerContents, base: string): typeof fetch {
  const known = servers.get(contents);
  if (known !== undefined) return known;
  const worker = new Worker(`${base}play/page/server.js`, { name: JSON.stringify(contents) });
  const send = workerFetch(worker, location.href);
  servers.set(contents, send);
  return send;
}

/** A link that has the events of the example as pasted lines. */
async function playLink(
  query: string,
  { repository, madeUpTimes }: SearchedEvents,
  { repositories }: WorkerContents,
  base: string,
): Promise<string> {
  const lines = repositories[repository]!.map(({ '@timestamp': time, ...fields }) =>
    JSON.stringify(
      madeUpTimes.includes(time!) ? fields : { time: new Date(Number(time)).toISOString(), ...fields },
    ),
  );
  const data = await printData(lines.join('\n'));
  const state = new URLSearchParams({ repo: 'pasted', q: query, start: 'all', live: 'off', data });
  return `${base}play/#${state}`;
}
