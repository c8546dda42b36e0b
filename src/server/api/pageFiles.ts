import type { ApiReply } from '../http/message.ts';

/**
 * The headers of a page of this server. The page must not be framed or load anything from elsewhere. `styles`: the
 * allowed sources of styles.
 */
export function pageHeaders(styles = "'self'"): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
}

const types = { script: 'text/javascript; charset=utf-8', style: 'text/css; charset=utf-8' };

/** A file that a page loads. `isVersioned`: the request names its version, so that browsers can cache it. */
export function fileReply(type: keyof typeof types, body: string, isVersioned = false): ApiReply {
  const cached = isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { 'content-type': types[type], 'x-content-type-options': 'nosniff', 'cache-control': cached };
  return { status: 200, body, headers };
}
