import type { TObject, TSchema } from 'typebox';
import type { JsonObject } from '../../base/json/json.ts';
import type { CreatableKind, KnownKind, PermittedKind } from '../../schema/record/kinds.ts';
import type { ClientFacts } from './client.ts';
import type { KindFacts } from './facts.ts';

/** A field whose definition depends on the value of another field of the record. */
export interface Variants {
  readonly by: string;
  readonly field: string;
  readonly definitions: Readonly<Record<string, TSchema>>;
}

/** All there is to know of a kind beside its rules: the one place where each of this is said. */
export interface Sheet extends KindFacts {
  /** The name of one record in a sentence. */
  readonly one: string;
  readonly many: string;
  /** A description in one or two sentences. */
  readonly about: string;
  /** The class of its construct. */
  readonly className?: string;
  /** The props of the construct beside those of every construct: the fields of the record, or of its `spec`. */
  readonly props?: 'record' | 'spec';
  /** The field that tells the forms of these props apart. */
  readonly toldApartBy?: string;
  /** The named type of its record, under which its fields are described (`published.ts` beside the sheet). */
  readonly typeName: string;
  /** Good enough for a first one of a kind, and in examples. */
  readonly usualName: string;
  /** Which of the commands that kinds have in common it has; absent: all that its facts allow (platform/clients.operations). */
  readonly verbs?: readonly string[];
  /** The description of its name, where it is not chosen by a client. */
  readonly nameIs?: string;
  /** The fields that the platform sets in a new record. `now`: in ISO 8601. */
  readonly firstShown?: (name: string, now: string) => JsonObject;
  /** The least that a record has beside its name, for one of which nothing else is known. */
  readonly least?: (name: string) => JsonObject;
  /** An org has a quota for how many there are (platform/quota.limits). */
  readonly hasQuota?: true;
  /**
   * Types, JSON Schema, validator and shape come from it. That of a policy depends on what all kinds say: which of them
   * a policy can be about.
   */
  readonly definition: TObject | ((targetKinds: readonly string[]) => TObject);
  readonly variants?: Variants;
  /**
   * Loads the facts that only `gantry KIND VERB` needs, from a file that no plan loads. Absent: the defaults of all
   * kinds.
   */
  readonly client?: (targetKinds: readonly string[]) => Promise<ClientFacts>;
}

/** The sheet of each kind; those that clients create have a construct, and most have permissions. */
export type Sheets = {
  readonly [K in KnownKind]: Sheet &
    (K extends CreatableKind ? { readonly className: string } : unknown) &
    (K extends PermittedKind ? { readonly permissions: readonly string[] } : { readonly permissions?: never });
};
