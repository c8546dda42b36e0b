/**
 * The token of an `Authorization` header, with or without `Bearer ` (platform/wire.headers); empty if there is none.
 */
export function bearerToken(authorization = ''): string {
  return authorization.replace(/^bearer\s+/i, '').trim();
}
