import { isArray, type JsonObject, own } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import type { GivenApproval, Role, RoleRule, SignedIn, SignInSettings } from '../model.ts';

/** The required claims; no others are stored. */
export function claimsNeeded({ name, roles: { approve, read } }: SignInSettings): readonly string[] {
  const readBy = read === 'all' ? [] : [...read.keys()];
  const named = compact([name]);
  return [...new Set(['sub', 'email', 'email_verified', ...named, ...approve.keys(), ...readBy])];
}

/** In lower case. Ignores an address that the issuer has not verified, because it may belong to another person. */
function verifiedEmail(claims: JsonObject): string | undefined {
  const [email, verified] = [own(claims, 'email'), own(claims, 'email_verified')];
  return typeof email === 'string' && (verified === true || verified === 'true') ? email.toLowerCase() : undefined;
}

/** The name of a person in the history. */
export function personName({ name = 'email' }: Pick<SignInSettings, 'name'>, { claims, subject }: SignedIn): string {
  const [called] = valuesOf(claims, name);
  return called === undefined || called.trim() === '' ? subject : called;
}

/** The id of a person, independent of the name: the subject is unique at its issuer. */
export function personId({ issuer, subject }: Pick<SignedIn, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}

/**
 * Whether two approvals are by the same person. Different people may share a name, and one may have several. If one
 * person is not known, equal names count as the same person.
 */
export function isSamePerson(
  a: Pick<GivenApproval, 'by' | 'person'>,
  b: Pick<GivenApproval, 'by' | 'person'>,
): boolean {
  return a.person === undefined || b.person === undefined ? a.by === b.by : a.person === b.person;
}

/** The displayed name of the issuer. */
export function issuerName({ issuer }: Pick<SignInSettings, 'issuer'>): string {
  return new URL(issuer).host;
}

/** The role of a person by the present settings; undefined if none. */
export function roleOf(settings: SignInSettings, { issuer, clientId, claims }: SignedIn): Role | undefined {
  const { roles, domains } = settings;
  if (issuer !== settings.issuer || clientId !== settings.clientId) return undefined;
  const domain = verifiedEmail(claims)?.split('@').at(-1);
  if (domains !== undefined && (domain === undefined || !domains.includes(domain))) return undefined;
  if (grantsRole(roles.approve, claims)) return 'approve';
  return roles.read === 'all' || grantsRole(roles.read, claims) ? 'read' : undefined;
}

/** The claims that could give a role, to show to a person without one. */
export function claimLines(settings: SignInSettings, { claims }: SignedIn): readonly string[] {
  return claimsNeeded(settings).flatMap((claim) => {
    if (claim === 'sub' || claim === 'email_verified') return [];
    const values = valuesOf(claims, claim);
    if (values.length > 0) return [`${claim}: ${values.join(', ')}`];
    const isUnverified = claim === 'email' && own(claims, claim) !== undefined;
    return [`${claim}: ${isUnverified ? 'not verified by the issuer' : 'none'}`];
  });
}

function grantsRole(rule: RoleRule, claims: JsonObject): boolean {
  return [...rule].some(([claim, wanted]) => {
    const values = valuesOf(claims, claim);
    return wanted.some((each) => values.includes(claim === 'email' ? each.toLowerCase() : each));
  });
}

/** A claim is one text or a list of texts. */
function valuesOf(claims: JsonObject, claim: string): readonly string[] {
  if (claim === 'email') return compact([verifiedEmail(claims)]);
  const found = own(claims, claim) ?? [];
  return (isArray(found) ? found : [found]).filter((each) => typeof each === 'string');
}
