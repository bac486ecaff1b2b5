import { Help, type HelpConfiguration, type OutputConfiguration } from 'commander';

const MAX_WIDTH = 80;
/** If fewer columns are left beside the flags, descriptions go below them. */
const MIN_DESCRIPTION_WIDTH = 30;
const INDENT = ' '.repeat(6);
const OWN_FLAGS = 'Options:';

/** A heading in bold. Commander removes the bold where there are no colors. */
export const heading = (text: string): string => `\u001b[1m${text}\u001b[22m`;

/** The width of help: that of the terminal, at most 80 columns. */
export const helpWidths: OutputConfiguration = {
  getOutHelpWidth: () => Math.min(MAX_WIDTH, process.stdout.columns || MAX_WIDTH),
  getErrHelpWidth: () => Math.min(MAX_WIDTH, process.stderr.columns || MAX_WIDTH),
};

/** Help that wraps at words at any width and lists a command's own flags first. */
export const helpFormat: HelpConfiguration = {
  minWidthToWrap: 1,
  styleTitle: heading,
  formatItem(this: Help, term, termWidth, description, helper) {
    const width = helper.helpWidth ?? MAX_WIDTH;
    if (width - termWidth >= MIN_DESCRIPTION_WIDTH) {
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    }
    const lines = helper.boxWrap(description, width - INDENT.length).split('\n');
    return [`  ${term}`, ...lines.map((line) => INDENT + line)].join('\n');
  },
  groupItems(items, visibleItems, groupOf) {
    const groups = Help.prototype.groupItems(items, visibleItems, groupOf);
    const own = groups.get(OWN_FLAGS);
    return own === undefined ? groups : new Map([[OWN_FLAGS, own], ...groups]);
  },
  /** Descriptions name the default themselves. */
  optionDescription: ({ description, argChoices }) =>
    argChoices === undefined ? description : `${description} One of ${argChoices.join(', ')}.`,
};
