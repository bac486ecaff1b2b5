type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'style'>
>;

/** Creates an element with properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

export function button(label: string, onclick: (event: MouseEvent) => void): HTMLButtonElement {
  return element('button', { type: 'button', onclick }, label);
}

/** A field for several lines, with its label. */
export function textField(
  label: string,
  rows: number,
  value = '',
): readonly [HTMLLabelElement, HTMLTextAreaElement] {
  const area = element('textarea', { rows, value, spellcheck: false });
  return [element('label', {}, label, area), area];
}

/** Opens a dialog that is removed when it closes. */
export function openDialog(title: string, ...children: readonly (Node | string)[]): HTMLDialogElement {
  const dialog = element(
    'dialog',
    { className: 'play-dialog', ariaLabel: title },
    element('h1', {}, title),
    ...children,
  );
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A button that copies a string, and says so. @param remark what else to say */
export function copyButton(label: string, text: () => string, remark = (): string => ''): HTMLButtonElement {
  const created = button(label, () => {
    void navigator.clipboard.writeText(text()).then(() => {
      const suffix = remark();
      created.textContent = `Copied${suffix}`;
      setTimeout(
        () => {
          created.textContent = label;
        },
        1_500 + 50 * suffix.length,
      );
    });
  });
  return created;
}
