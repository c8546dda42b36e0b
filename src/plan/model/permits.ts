import { choice, count, described, type Form, flag, type Of } from '../../base/form/form.ts';
import { present } from '../../base/json/present.ts';
import { type Risk, risks } from '../../schema/facts/risk.ts';

interface Permit<T extends boolean | number | Risk> extends Form<T> {
  readonly help: string;
  /** The placeholder for its value in help; absent if it takes none. */
  readonly value?: '<n>' | '<risk>';
  /** The values that it takes, if they are few. */
  readonly choices?: readonly T[];
  /**
   * The default on the command line. In a plan an absent permit permits nothing, and an absent limit does not limit.
   */
  readonly default?: T;
  /** The number must be exact: a plan that affects more, or fewer, is not the plan that was reviewed. */
  readonly exact?: true;
  /** Whether it also applies to a plan that only deletes. */
  readonly forDeletion: boolean;
}

function permission(help: string, forDeletion = false): Permit<boolean> {
  return { ...described(help, flag), help, default: false, forDeletion };
}

function exactly(help: string): Permit<number> {
  return { ...described(help, count), help, value: '<n>', default: 0, exact: true, forDeletion: true };
}

function atMost(help: string, usual?: number): Permit<number> {
  return {
    ...described(help, count),
    help,
    value: '<n>',
    ...present({ default: usual }),
    forDeletion: true,
  };
}

/**
 * The limits of a plan, and the permits without which it is refused. Declared only here: plan options, command-line
 * flags, the form of saved plans and the hints of refusals are derived.
 */
export const permits = {
  adopt: permission('take ownership of live resources that no stack owns'),
  prune: permission('with loose manifests, also delete what they do not declare'),
  allowEmpty: permission('allow an empty stack to delete everything'),
  revertOperational: permission('undo changes that operators made (suspend, debug)'),
  writeUnknownSecrets: permission('write secrets whose live values cannot be read'),
  allowCollateral: exactly('allow exactly n resources of other owners to be deleted or affected'),
  allowDataLoss: exactly('allow exactly n resources with data to be deleted'),
  allowLostValues: exactly('allow exactly n resources to be re-created without values that cannot be read'),
  allowUnmarked: permission(
    'replace records that cannot be marked first: a kill may then lose what others wrote to them',
  ),
  allowDangling: exactly('allow exactly n resources that stay to lose something that they need to run'),
  allowUnseen: permission('allow changes to GVCs that hold resources this token cannot view', true),
  maxDeletes: atMost('delete at most n resources', 10),
  maxRisk: maxRisk('refuse a plan with a greater risk; listed from least to greatest'),
  maxChanges: atMost('change at most n resources'),
} as const;

function maxRisk(help: string): Permit<Risk> {
  const form = { ...described(help, choice(...risks)), help };
  return { ...form, value: '<risk>', choices: risks, forDeletion: true };
}

export type PermitName = keyof typeof permits;

/** The permits of a plan. */
export type Permits = { readonly [Name in PermitName]?: Of<(typeof permits)[Name]> | undefined };

export const permitNames: readonly PermitName[] = Object.keys(permits).filter(isPermitName);

function isPermitName(name: string): name is PermitName {
  return Object.hasOwn(permits, name);
}

type StatedPermits = { -readonly [Name in PermitName]?: Of<(typeof permits)[Name]> };

/** Selects the permits among other options. */
export function permitsOf(options: Permits): Readonly<StatedPermits> {
  const found: StatedPermits = {};
  for (const name of permitNames) set(found, name, options[name]);
  return found;
}

function set<Name extends PermitName>(to: StatedPermits, name: Name, value: StatedPermits[Name] | undefined): void {
  if (value !== undefined) to[name] = value;
}

/** The command-line form: `--allow-unseen`, and with a value `--max-deletes=12`. */
export function flagOf(name: PermitName, value?: number | Risk): string {
  const long = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? long : `${long}=${value}`;
}
