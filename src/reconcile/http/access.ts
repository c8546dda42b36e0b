import { isLoopback, readHost } from '../../base/text/hostName.ts';
import { personId } from '../decisions/person.ts';
import type { Role } from '../model.ts';

export interface Caller {
  /** Who an approval is by. Absent: nobody has signed in, which loopback lets read. */
  readonly name?: string;
  readonly role: Role;
  /** The issuer and its subject: the same under another name, and by a token. Absent: nobody knows which person it is. */
  readonly person?: string;
  /** By OpenID Connect: known by a cookie. */
  readonly hasSession?: true;
}

/** A token of the file: its digest, never the token itself. */
export interface KnownToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the token, in hexadecimal. */
  readonly sha256: string;
  /** Of the person whose token it is, at the issuer of sign-in. */
  readonly subject?: string | undefined;
}

/** The facts about a request that access is decided by, as far as its sender states them. */
export interface Asked {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
  /** `Sec-Fetch-Mode`. */
  readonly fetchMode: string | undefined;
  readonly contentType: string | undefined;
  /** It is for the page itself, or for signing in: neither tells of stacks, and another site leads there. */
  readonly isPage: boolean;
  /** SHA-256 of the token that was sent; undefined: none was. */
  readonly digest: string | undefined;
}

export interface Guard {
  readonly tokens: readonly KnownToken[];
  /** Of sign-in. */
  readonly issuer?: string | undefined;
  /** Only this machine reaches the page. */
  readonly onLoopback: boolean;
}

export interface Refusal {
  readonly status: 401 | 403 | 415;
  readonly code: string;
  readonly message: string;
}

/** Who asks, or why nobody is told anything. A token that is not known is refused on loopback, too. */
export function callerOf(
  { tokens, issuer, onLoopback }: Guard,
  { digest, person }: Pick<Asked, 'digest'> & { readonly person?: Caller | undefined },
): Caller | Refusal {
  if (digest === undefined) {
    if (person !== undefined) return person;
    if (onLoopback) return { role: 'read' };
    return { status: 401, code: 'reconcile.token', message: 'a token is needed' };
  }
  const known = tokens.find(({ sha256 }) => sha256 === digest);
  if (known === undefined) return { status: 401, code: 'reconcile.token', message: 'the token is not valid' };
  const { name, role, subject } = known;
  return {
    name,
    role,
    ...(issuer === undefined || subject === undefined ? {} : { person: personId({ issuer, subject }) }),
  };
}

/**
 * Why a request is refused whoever sends it. Loopback is reached by every page that a browser on this machine shows, so
 * it answers to its own names only; and no page of another site may act.
 */
export function foreignRefusal({ onLoopback }: Guard, asked: Asked): Refusal | undefined {
  const { method, host, origin, fetchSite, fetchMode, contentType, isPage } = asked;
  const named = readHost(host);
  if (named === undefined || (onLoopback && !isLoopback(named.name))) {
    return foreign('the header Host does not name this server');
  }
  const ownOrigin = origin === undefined || hostOf(origin) === named.text;
  const ownSite = fetchSite === undefined || fetchSite === 'same-origin' || (fetchSite === 'none' && method === 'GET');
  // A link on another site may lead here, to the page itself: what it then asks for comes from this site. So does an issuer.
  const isVisit = method === 'GET' && origin === undefined && (!onLoopback || (isPage && fetchMode === 'navigate'));
  if (!ownOrigin || !(ownSite || isVisit)) return foreign('the request comes from a page of another address');
  if (method !== 'GET' && !/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    return { status: 415, code: 'reconcile.json', message: 'the body must be JSON: content-type: application/json' };
  }
  return undefined;
}

/** Why a caller may not act. A browser sends a cookie by itself, and with it always says from which page. */
export function actRefusal({ name, role, hasSession }: Caller, { origin }: Pick<Asked, 'origin'>): Refusal | undefined {
  if (name === undefined) return { status: 401, code: 'reconcile.token', message: 'sign in with the role approve' };
  if (hasSession === true && origin === undefined) return foreign('the request does not say from which page it comes');
  if (role === 'approve') return undefined;
  return { status: 403, code: 'reconcile.role', message: `${name} may read only: this needs the role approve` };
}

function foreign(message: string): Refusal {
  return { status: 403, code: 'reconcile.foreign', message };
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? readHost(new URL(origin).host)?.text : undefined;
}
