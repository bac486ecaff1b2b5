import { type Command, Help, type HelpConfiguration, type OutputConfiguration } from 'commander';
import { exampleLines } from './examples.ts';

const MAX_WIDTH = 80;
/** If fewer columns are left beside the flags, descriptions go below them. */
const MIN_DESCRIPTION_WIDTH = 30;
const INDENT = ' '.repeat(6);

/** Groups of flags that many commands have: the topic that lists them, and the commands whose help lists them, too. */
const SHARED_GROUPS = [
  { group: 'Output:', topic: 'output', subjects: ['query', 'tail'] },
  { group: 'Connection:', topic: 'connection', subjects: ['login'] },
];

/** A heading in bold. Commander removes the bold where there are no colors. */
const heading = (text: string): string => `\u001b[1m${text}\u001b[22m`;

/** The width of help: that of the terminal, at most 80 columns. */
export const helpWidths: OutputConfiguration = {
  getOutHelpWidth: () => Math.min(MAX_WIDTH, process.stdout.columns || MAX_WIDTH),
  getErrHelpWidth: () => Math.min(MAX_WIDTH, process.stderr.columns || MAX_WIDTH),
};

/** The shared flags that the help of a command names in one line: more than one, and not its subject. */
function briefGroups(command: Command) {
  return SHARED_GROUPS.flatMap(({ group, topic, subjects }) => {
    const flags = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === group);
    return flags.length < 2 || subjects.includes(command.name()) ? [] : [{ group, topic, flags }];
  });
}

/** The first sentence of a description, which lists of commands show. */
export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** Help that says first what a command does, and wraps at words at any width. */
export const helpFormat: HelpConfiguration = {
  minWidthToWrap: 1,
  styleTitle: heading,
  /** `formatHelp` writes it first. */
  commandDescription: () => '',
  visibleOptions(command) {
    const brief = briefGroups(command).flatMap(({ flags }) => flags);
    return command.options.filter((option) => !brief.includes(option));
  },
  formatHelp(this: Help, command, helper) {
    const width = helper.helpWidth ?? MAX_WIDTH;
    const [usage = '', ...lists] = Help.prototype.formatHelp.call(this, command, helper).split('\n');
    const brief = briefGroups(command).map(({ group, topic, flags }) => {
      const names = flags.slice(0, 3).map(({ long }) => long);
      return helper.boxWrap(`${heading(group)} ${names.join(', ')} …: logclient help ${topic}`, width);
    });
    return [
      helper.boxWrap(command.description(), width),
      '',
      usage,
      '',
      ...exampleLines(command, helper, width),
      ...lists.slice(1),
      ...(brief.length > 0 ? [...brief, ''] : []),
    ].join('\n');
  },
  subcommandDescription: (command) => firstSentence(command.description()),
  subcommandTerm: (command) => Help.prototype.subcommandTerm(command).replace(' [options]', ''),
  formatItem(this: Help, term, termWidth, description, helper) {
    const width = helper.helpWidth ?? MAX_WIDTH;
    if (width - termWidth >= MIN_DESCRIPTION_WIDTH) {
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    }
    const lines = helper.boxWrap(description, width - INDENT.length).split('\n');
    return [`  ${term}`, ...lines.map((line) => INDENT + line)].join('\n');
  },
  /** Descriptions name the default themselves, and some the choices. */
  optionDescription: ({ description, argChoices: choices = [] }) =>
    choices.every((choice) => description.includes(choice))
      ? description
      : `${description} One of ${choices.join(', ')}.`,
};
