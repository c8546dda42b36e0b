import { randomBytes } from 'node:crypto';
import { sha256 } from '../../project/files/sha256.ts';
import type { SignedIn } from '../model.ts';
import { storedJson } from './sql.ts';
import type { Store } from './store.ts';

/**
 * The sessions and sign-in attempts, for all workers of the store. A browser has a random text, the store only its
 * digest.
 */
export class Sessions {
  readonly #store: Pick<Store, 'sql' | 'now'>;

  constructor(store: Pick<Store, 'sql' | 'now'>) {
    this.#store = store;
  }

  /** Returns the secret for the browser. */
  async begin(who: SignedIn, lifeMs: number): Promise<string> {
    const { sql } = this.#store;
    const nowMs = this.#store.now();
    const secret = randomBytes(32).toString('base64url');
    await sql.query('DELETE FROM sessions WHERE until_ms <= $1', [nowMs]);
    await sql.query('INSERT INTO sessions (id, until_ms, who) VALUES ($1, $2, $3)', [
      ...[sha256(secret), nowMs + lifeMs, storedJson(who)],
    ]);
    return secret;
  }

  /** Undefined if it has ended or does not exist. */
  async find(secret: string): Promise<SignedIn | undefined> {
    const [row] = await this.#store.sql.query('SELECT who FROM sessions WHERE id = $1 AND until_ms > $2', [
      ...[sha256(secret), this.#store.now()],
    ]);
    // Written only by the store.
    return row?.['who'] as SignedIn | undefined;
  }

  async end(secret: string): Promise<void> {
    await this.#store.sql.query('DELETE FROM sessions WHERE id = $1', [sha256(secret)]);
  }

  /** Records that a user was sent to the issuer, and may return with this once. */
  async expect(attempt: string, lifeMs: number): Promise<void> {
    const { sql } = this.#store;
    const nowMs = this.#store.now();
    await sql.query('DELETE FROM attempts WHERE until_ms <= $1', [nowMs]);
    await sql.query('INSERT INTO attempts (id, until_ms) VALUES ($1, $2)', [sha256(attempt), nowMs + lifeMs]);
  }

  /** False if no user was sent with it, or if it was used already. */
  async isExpected(attempt: string): Promise<boolean> {
    const rows = await this.#store.sql.query('DELETE FROM attempts WHERE id = $1 AND until_ms > $2 RETURNING id', [
      ...[sha256(attempt), this.#store.now()],
    ]);
    return rows.length > 0;
  }
}
