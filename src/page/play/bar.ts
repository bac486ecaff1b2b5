import { COPY_AS, linkRemark } from './copy-as.ts';
import { button, copyButton, element, openDialog, textField } from './elements.ts';
import { openParserDialog } from './parser-dialog.ts';
import { openLines, printData } from './pasted-lines.ts';
import { SAMPLES } from './samples.ts';

/** The bar above the page: sample logs, the user's own, and ways to take a search elsewhere. */
export function showBar(base: string): { readonly state: HTMLElement } {
  const state = element('span', { className: 'play-state', role: 'status' }, 'Loading for offline use…');
  const bar = element(
    'aside',
    { className: 'play-bar', ariaLabel: 'Playground' },
    samplePicker(),
    button('Open a file…', chooseFiles),
    button('Paste lines…', () => openPasteDialog(base)),
    button('Test a parser…', () => openParserDialog(base)),
    copyMenu(),
    element('span', { className: 'play-promise' }, 'Your data never leaves this browser.'),
    state,
  );
  document.body.prepend(bar);
  return { state };
}

/** Shows a search: the page follows the address. */
function show(parameters: Readonly<Record<string, string>>): void {
  location.hash = new URLSearchParams(parameters).toString();
}

function samplePicker(): HTMLSelectElement {
  const picker = element(
    'select',
    { ariaLabel: 'Sample' },
    element('option', { value: '' }, 'Try a sample…'),
  );
  for (const { repository, title, queries } of SAMPLES) {
    const group = element('optgroup', { label: title });
    group.append(option({ repo: repository }, 'All records'));
    for (const q of queries) group.append(option({ repo: repository, q, live: 'off' }, q));
    picker.append(group);
  }
  picker.onchange = () => {
    if (picker.value !== '') show(JSON.parse(picker.value));
    picker.value = '';
  };
  return picker;
}

function option(parameters: Readonly<Record<string, string>>, label: string): HTMLOptionElement {
  return element('option', { value: JSON.stringify(parameters) }, label);
}

/** The page chooses files when this key is pressed. */
function chooseFiles(): void {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'o', bubbles: true }));
}

function openPasteDialog(base: string): void {
  const [field, area] = textField('JSON or text, one record per line', 14);
  const problem = element('p', { role: 'alert' });
  const open = async (): Promise<void> => {
    try {
      const repo = await openLines(fetch, base, area.value);
      const data = await printData(area.value);
      show({ repo, start: 'all', live: 'off', ...(data !== '' && { data }) });
      dialog.close();
    } catch (error) {
      problem.textContent = (error as Error).message;
    }
  };
  const dialog = openDialog(
    'Paste lines',
    field,
    problem,
    element(
      'p',
      {},
      button('Search them', () => void open()),
      ' ',
      button('Cancel', () => dialog.close()),
    ),
  );
}

function copyMenu(): HTMLDetailsElement {
  const menu = element('details', { className: 'play-menu' }, element('summary', {}, 'Copy as'));
  menu.append(
    element(
      'div',
      {},
      ...Object.entries(COPY_AS).map(([label, text]) => copyButton(label, text)),
      copyButton('A link', () => location.href, linkRemark),
    ),
  );
  return menu;
}
