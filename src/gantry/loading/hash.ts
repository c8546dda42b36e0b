import { hash } from 'node:crypto';

/** The short hash that plans write into `gantry/applied`: 16 characters of SHA-256, URL-safe. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
