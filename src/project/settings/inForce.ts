import type { Limits } from '../../plan/model/limits.ts';
import { sameEndpoint } from './endpoints.ts';
import type { DeclaredEnvironment, Settings } from './settings.ts';
import type { Signers } from './signers.ts';

/** Whose limits count: the chosen environment first, and each other one that a command with these settings reaches. */
function environmentsInForce(settings: Settings): readonly DeclaredEnvironment[] {
  const { environment, environments } = settings;
  const chosen = environments.find(({ name }) => name === environment?.name);
  if (chosen === undefined) return [];
  return [chosen, ...environments.filter((other) => other !== chosen && reaches(settings, chosen, other))];
}

/** The limits that hold for what is done with these settings: no flag and no variable leads past them. */
export function limitsInForce(settings: Settings): readonly Limits[] {
  return environmentsInForce(settings).flatMap(({ limits }) => (limits === undefined ? [] : [limits]));
}

/** Whose signatures count: a key has to be in the file of each. */
export function signersInForce(settings: Settings): readonly Signers[] {
  const ofOthers = environmentsInForce(settings).slice(1);
  return [settings, ...ofOthers].flatMap(({ signers }) => (signers === undefined ? [] : [signers]));
}

/**
 * In one org, environments are told apart by GVC and stack. In an org that is not that of the chosen environment, these
 * say nothing: they are those of the wrong one.
 */
function reaches(settings: Settings, chosen: DeclaredEnvironment, other: DeclaredEnvironment): boolean {
  if (!isAtPlaceOf(other, settings)) return false;
  const isSameStack = isOfStackOf(other, settings);
  if (other.org !== undefined) return isSameStack || !isAtPlaceOf(chosen, settings);
  // It leaves the org to others: it is meant only by what something else than the chosen environment has set.
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

/** A setting that only one of them has does not tell them apart. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
