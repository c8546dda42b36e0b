import type { Kind } from '../../schema/kinds.ts';
import type { Validators } from '../../schema/validators.ts';
import type { Store } from '../store/row.ts';

/** What every route works with. Time, ids and randomness come from outside. */
export interface Platform {
  readonly store: Store;
  readonly org: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** So many lower-case letters and digits that nobody can guess. */
  readonly randomText: (length: number) => string;
  /** A digest of a key, for keeping it without knowing it. */
  readonly digest: (text: string) => string;
  readonly base64url: (text: string) => string;
  /** Whatever the text holds: what cannot be read gives other text, never an error. */
  readonly textOfBase64url: (text: string) => string;
  readonly readyAfterMs: number;
  /** How long a deleted record is still shown. */
  readonly deletionDelayMs: number;
  readonly validatorsOf: (kind: Kind) => Promise<Validators>;
}
