import { present } from '../../base/json/present.ts';
import { isLoopback, readHost } from '../../base/text/hostName.ts';
import { personId } from '../decisions/person.ts';
import type { Role } from '../model.ts';

export interface Caller {
  /** The name in approvals. Absent without sign-in; such a caller may read on loopback. */
  readonly name?: string;
  readonly role: Role;
  /** The issuer and its subject: the same under another name, and with a token. Absent if the person is not known. */
  readonly person?: string;
  /** Whether signed in by OpenID Connect, with a cookie. */
  readonly hasSession?: true;
}

/** A token of the file, stored as a digest only. */
export interface KnownToken {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 of the token, in hexadecimal. */
  readonly sha256: string;
  /** The subject of the token's owner at the issuer of sign-in. */
  readonly subject?: string | undefined;
}

/** The facts about a request that decide access, as stated by its sender. */
export interface RequestFacts {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
  /** `Sec-Fetch-Mode`. */
  readonly fetchMode: string | undefined;
  readonly contentType: string | undefined;
  /**
   * Whether it requests the page itself or signs in: these reveal nothing about stacks, and other sites link to them.
   */
  readonly isPage: boolean;
  /** SHA-256 of the sent token; undefined if none was sent. */
  readonly digest: string | undefined;
}

export interface Guard {
  readonly tokens: readonly KnownToken[];
  /** The issuer of sign-in. */
  readonly issuer?: string | undefined;
  /** Whether only this machine can reach the page. */
  readonly onLoopback: boolean;
}

export interface Refusal {
  readonly status: 401 | 403 | 415;
  readonly code: string;
  readonly message: string;
}

/** The caller, or the reason for refusing any data. An unknown token is refused even on loopback. */
export function callerOf(
  { tokens, issuer, onLoopback }: Guard,
  { digest, person }: Pick<RequestFacts, 'digest'> & { readonly person?: Caller | undefined },
): Caller | Refusal {
  if (digest === undefined) {
    if (person !== undefined) return person;
    if (onLoopback) return { role: 'read' };
    return { status: 401, code: 'reconcile.token', message: 'a token is needed' };
  }
  const knownToken = tokens.find(({ sha256 }) => sha256 === digest);
  if (knownToken === undefined) return { status: 401, code: 'reconcile.token', message: 'the token is not valid' };
  const { name, role, subject } = knownToken;
  return {
    name,
    role,
    ...present({ person: issuer === undefined || subject === undefined ? undefined : personId({ issuer, subject }) }),
  };
}

/**
 * The reason why a request is refused from any sender. Every page in a browser on this machine can reach loopback, so
 * the server accepts only its own names; and pages of other sites must not act.
 */
export function foreignRefusal({ onLoopback }: Guard, request: RequestFacts): Refusal | undefined {
  const { method, host, origin, fetchSite, fetchMode, contentType, isPage } = request;
  const requestedHost = readHost(host);
  if (requestedHost === undefined || (onLoopback && !isLoopback(requestedHost.name))) {
    return foreign('the header Host does not name this server');
  }
  const ownOrigin = origin === undefined || hostOf(origin) === requestedHost.text;
  const ownSite = fetchSite === undefined || fetchSite === 'same-origin' || (fetchSite === 'none' && method === 'GET');
  // Another site may link to the page itself, whose own requests then come from this site. So may an issuer.
  const isVisit = method === 'GET' && origin === undefined && (!onLoopback || (isPage && fetchMode === 'navigate'));
  if (!ownOrigin || !(ownSite || isVisit)) return foreign('the request comes from a page of another address');
  if (method !== 'GET' && !/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    return { status: 415, code: 'reconcile.json', message: 'the body must be JSON: content-type: application/json' };
  }
  return undefined;
}

/** The reason why a caller must not act. Browsers send cookies automatically, but then always state the origin. */
export function actRefusal(
  { name, role, hasSession }: Caller,
  { origin }: Pick<RequestFacts, 'origin'>,
): Refusal | undefined {
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
