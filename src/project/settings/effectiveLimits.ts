import type { Limits } from '../../plan/model/limits.ts';
import { sameEndpoint } from './endpoints.ts';
import type { DeclaredEnvironment, Settings } from './resolveSettings.ts';
import type { Signers } from './signers.ts';

/**
 * The environments whose limits apply: the chosen one first, then every other one that a command with these settings
 * reaches.
 */
function effectiveEnvironments(settings: Settings): readonly DeclaredEnvironment[] {
  const { environment, environments } = settings;
  const chosen = environments.find(({ name }) => name === environment?.name);
  if (chosen === undefined) return [];
  return [chosen, ...environments.filter((other) => other !== chosen && reaches(settings, chosen, other))];
}

/** The limits that apply with these settings; no flag or variable bypasses them. */
export function effectiveLimits(settings: Settings): readonly Limits[] {
  return effectiveEnvironments(settings).flatMap(({ limits }) => limits ?? []);
}

/** The signers that apply: a key must be in the file of each. */
export function effectiveSigners(settings: Settings): readonly Signers[] {
  const otherEnvironments = effectiveEnvironments(settings).slice(1);
  return [settings, ...otherEnvironments].flatMap(({ signers }) => signers ?? []);
}

/**
 * Within one org, GVC and stack distinguish environments. In another org than the chosen environment's, they do not
 * count, because they come from the wrong environment.
 */
function reaches(settings: Settings, chosen: DeclaredEnvironment, other: DeclaredEnvironment): boolean {
  if (!hasSameOrg(other, settings)) return false;
  const isStackOfSettings = hasSameStack(other, settings);
  if (other.org !== undefined) return isStackOfSettings || !hasSameOrg(chosen, settings);
  // Without its own org, it is only reached by settings from outside the chosen environment.
  const matchesChosen = hasSameOrg(chosen, settings) && hasSameStack(chosen, settings);
  return !matchesChosen && isStackOfSettings && (other.endpoint ?? other.gvc) !== undefined;
}

type OrgAddress = Pick<Settings, 'org' | 'endpoint'>;
type StackNames = Pick<Settings, 'gvc' | 'stack'>;

function hasSameOrg(one: OrgAddress, other: OrgAddress): boolean {
  return isSameOrUnset(one.org, other.org) && sameEndpoint(one.endpoint, other.endpoint);
}

function hasSameStack(one: StackNames, other: StackNames): boolean {
  return isSameOrUnset(one.gvc, other.gvc) && isSameOrUnset(one.stack, other.stack);
}

/** Whether a setting is equal, or missing on a side: then it does not distinguish environments. */
function isSameOrUnset(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
