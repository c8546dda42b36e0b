import type { Limits } from '../../plan/model/limits.ts';
import { sameEndpoint } from './endpoints.ts';
import type { DeclaredEnvironment, Settings } from './settings.ts';
import type { Signers } from './signers.ts';

/**
 * The environments whose limits apply: the chosen one first, then every other one that a command with these settings
 * reaches.
 */
function environmentsInForce(settings: Settings): readonly DeclaredEnvironment[] {
  const { environment, environments } = settings;
  const chosen = environments.find(({ name }) => name === environment?.name);
  if (chosen === undefined) return [];
  return [chosen, ...environments.filter((other) => other !== chosen && reaches(settings, chosen, other))];
}

/** The limits that apply with these settings; no flag or variable bypasses them. */
export function limitsInForce(settings: Settings): readonly Limits[] {
  return environmentsInForce(settings).flatMap(({ limits }) => (limits === undefined ? [] : [limits]));
}

/** The signers that apply: a key must be in the file of each. */
export function signersInForce(settings: Settings): readonly Signers[] {
  const ofOthers = environmentsInForce(settings).slice(1);
  return [settings, ...ofOthers].flatMap(({ signers }) => (signers === undefined ? [] : [signers]));
}

/**
 * Within one org, GVC and stack distinguish environments. In another org than the chosen environment's, they do not
 * count, because they come from the wrong environment.
 */
function reaches(settings: Settings, chosen: DeclaredEnvironment, other: DeclaredEnvironment): boolean {
  if (!isAtPlaceOf(other, settings)) return false;
  const isSameStack = isOfStackOf(other, settings);
  if (other.org !== undefined) return isSameStack || !isAtPlaceOf(chosen, settings);
  // Without its own org, it is only reached by settings from outside the chosen environment.
  const isAsChosen = isAtPlaceOf(chosen, settings) && isOfStackOf(chosen, settings);
  return !isAsChosen && isSameStack && (other.endpoint ?? other.gvc) !== undefined;
}

type Place = Pick<Settings, 'org' | 'endpoint'>;
type Identity = Pick<Settings, 'gvc' | 'stack'>;

function isAtPlaceOf(one: Place, other: Place): boolean {
  return isSame(one.org, other.org) && sameEndpoint(one.endpoint, other.endpoint);
}

function isOfStackOf(one: Identity, other: Identity): boolean {
  return isSame(one.gvc, other.gvc) && isSame(one.stack, other.stack);
}

/** Whether a setting is equal, or missing on a side: then it does not distinguish environments. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
