import { isArray, isObject, type JsonValue, own, stringAt } from '../../../base/json/json.ts';
import type { Pointer } from '../../../base/json/pointer.ts';
import { instantOf } from '../../../base/text/instant.ts';
import { isCallerKind } from '../../../schema/record/kinds.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { parseLink } from '../../../schema/record/ref.ts';

/** A configured token and its principal. */
export interface StaticToken {
  readonly token: string;
  /** A full or short link to a user, service account or identity. A short one refers to the server's initial org. */
  readonly principal: string;
  /** Milliseconds since 1970; the token is invalid from this time on. */
  readonly expiresMs?: number;
}

/** The minimum length in characters, to prevent guessing. */
const shortest = 8;

/**
 * Reads a list of `{token, principal, expires?}`, `expires` in ISO 8601. Adds to `problems`, which never contain a
 * token.
 */
export function readStaticTokens(value: JsonValue, org: string, problems: Problem[]): readonly StaticToken[] {
  function problem(pointer: Pointer, message: string): void {
    problems.push({ rule: 'server.tokens', path: pointer.join('.'), pointer, message, severity: 'error' });
  }
  if (!isArray(value)) {
    problem([], 'must be a list');
    return [];
  }
  const seen = new Set<string>();
  return value.flatMap((item, index) => {
    if (!isObject(item)) {
      problem([index], 'must be {token, principal, expires}');
      return [];
    }
    const [token, principal, expires] = [stringAt(item, 'token'), stringAt(item, 'principal'), own(item, 'expires')];
    if (token === undefined || token.length < shortest || /\s/.test(token)) {
      problem([index, 'token'], `must be text of at least ${shortest} characters without spaces`);
    } else if (seen.has(token)) {
      problem([index, 'token'], 'is listed twice');
    }
    seen.add(token ?? '');
    const kind = principal === undefined ? undefined : parseLink(principal, { org })?.ref.kind;
    if (!isCallerKind(kind)) {
      problem([index, 'principal'], 'must be a link to a user, service account or identity');
    }
    const expiresMs = typeof expires === 'string' ? instantOf(expires) : undefined;
    if (expires !== undefined && expiresMs === undefined) {
      problem([index, 'expires'], 'must be a time with its zone, such as 2030-01-31T12:00:00Z');
    }
    const more = Object.keys(item).find((key) => !['token', 'principal', 'expires'].includes(key));
    if (more !== undefined) problem([index, more], 'is not known');
    if (token === undefined || principal === undefined) return [];
    return [expiresMs === undefined ? { token, principal } : { token, principal, expiresMs }];
  });
}

/** The account and the key name, parsed from the key itself. */
interface KeyOwner {
  readonly org: string;
  readonly account: string;
  /** The name of the key: the text before its first dot. */
  readonly key: string;
}

interface Coding {
  readonly base64url: (text: string) => string;
  /** Accepts any text: invalid input returns arbitrary text, never an error. */
  readonly textOfBase64url: (text: string) => string;
}

/**
 * Format: `s<10 random>.<base64url of org.account.random>.<random>` (platform/access.tokens). Undefined if it is not a
 * key.
 */
export function keyOwner(token: string, { textOfBase64url }: Coding): KeyOwner | undefined {
  const [key = '', owner = '', secret = '', ...more] = token.split('.');
  if (!key.startsWith('s') || owner === '' || secret === '' || more.length > 0) return undefined;
  const [org = '', account = '', random = ''] = textOfBase64url(owner).split('.');
  return org === '' || account === '' || random === '' ? undefined : { org, account, key };
}

/** `randomText` returns unguessable letters and digits of this length. */
export function newKey(
  org: string,
  account: string,
  { base64url }: Coding,
  randomText: (length: number) => string,
): { readonly name: string; readonly key: string } {
  const name = `s${randomText(10)}`;
  return { name, key: `${name}.${base64url(`${org}.${account}.${randomText(16)}`)}.${randomText(40)}` };
}
