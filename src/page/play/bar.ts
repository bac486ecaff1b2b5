import { INITIAL_STATE, printState, type SearchState } from '../state/search-state.ts';
import { command, linkConfirmation, queryCode, testCode } from './copy-as.ts';
import { byId, copyOnClick, onClick } from './elements.ts';
import { startParserDialog } from './parser-dialog.ts';
import { openLines, printData } from './pasted-lines.ts';
import { SAMPLES } from './samples.ts';

/** Starts the bar above the page: sample logs, the user's own, and ways to take a search elsewhere. */
export function startBar(base: string): void {
  startSamples(byId<HTMLSelectElement>('samples'));
  // The page chooses files when this key is pressed.
  const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'o', bubbles: true }));
  onClick('open-file', press);
  startPasting(base);
  startParserDialog(base);
  copyOnClick('copy-test', testCode);
  copyOnClick('copy-code', queryCode);
  copyOnClick('copy-command', command);
  copyOnClick('copy-link', () => location.href, linkConfirmation);
}

/** Each option has the address of its search, which the page follows. */
function startSamples(picker: HTMLSelectElement): void {
  for (const { repository, title, queries } of SAMPLES) {
    const group = document.createElement('optgroup');
    group.label = title;
    group.append(new Option('All records', addressOf({ repository })));
    for (const query of queries) {
      group.append(new Option(query, addressOf({ repository, query, isLive: false })));
    }
    picker.append(group);
  }
  picker.onchange = () => {
    location.hash = picker.value;
    picker.value = '';
  };
}

function addressOf(state: Partial<SearchState>): string {
  return printState({ ...INITIAL_STATE, ...state });
}

function startPasting(base: string): void {
  const dialog = byId<HTMLDialogElement>('paste-dialog');
  const lines = byId<HTMLTextAreaElement>('pasted');
  const problem = byId('paste-problem');
  const open = async (): Promise<void> => {
    const repository = await openLines(fetch, base, lines.value);
    const data = await printData(lines.value);
    location.hash = addressOf({ repository, start: 'all', isLive: false, data });
    dialog.close();
  };
  onClick('paste', () => {
    problem.textContent = '';
    dialog.showModal();
  });
  onClick('search-pasted', () => {
    open().catch(({ message }: Error) => {
      problem.textContent = message;
    });
  });
}
