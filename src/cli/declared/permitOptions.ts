import { type Command, Option } from 'commander';
import { flagOf, type PermitName, permitNames, permits } from '../../plan/model/permits.ts';
import { collect, parseCount } from '../../terminal/optionGroups.ts';

/** Every permit, and the selection of resources. */
export function addPermits(command: Command): void {
  addPermitOptions(command, permitNames);
  addSelection(command);
}

/** The permits of a plan that deletes everything; unlimited by default. */
export function addDeletionPermits(command: Command): void {
  addPermitOptions(
    command,
    permitNames.filter((name) => permits[name].forDeletion),
    { maxDeletes: undefined },
  );
  addSelection(command);
}

/** Some permits; `defaults` replaces their default values. */
export function addPermitOptions(
  command: Command,
  names: readonly PermitName[],
  defaults: { readonly [Name in PermitName]?: undefined } = {},
): void {
  command.optionsGroup('What the plan may do:');
  for (const name of names) {
    const { help, value, choices, default: usual } = permits[name];
    const option = new Option(value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`, help);
    if (choices !== undefined) option.choices(choices.map(String));
    else if (value !== undefined) option.argParser(parseCount);
    command.addOption(Object.hasOwn(defaults, name) || usual === undefined ? option : option.default(usual));
  }
}

function addSelection(command: Command): void {
  command
    .option('--target <id>', 'only this resource and what it depends on (repeatable)', collect, [])
    .option('--exclude <id>', 'leave this resource alone (repeatable)', collect, []);
}
