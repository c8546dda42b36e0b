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

/** All facts of a kind except its rules; each fact is stated only here. */
export interface Sheet extends KindFacts {
  /** The name of one record in a sentence. */
  readonly singular: string;
  readonly plural: string;
  /** A description in one or two sentences. */
  readonly about: string;
  /** The class of its construct. */
  readonly className?: string;
  /** The kind-specific props of the construct: the fields of the record, or of its `spec`. */
  readonly props?: 'record' | 'spec';
  /** The field that distinguishes the forms of these props. */
  readonly discriminator?: string;
  /** The named type of its record, under which its fields are described (`published.ts` beside the sheet). */
  readonly typeName: string;
  /** A good name for the first record of a kind, also used in examples. */
  readonly exampleName: string;
  /** The common commands that it has; absent for all that its facts allow (platform/clients.operations). */
  readonly verbs?: readonly string[];
  /** The description of its name, if clients do not choose it. */
  readonly nameDescription?: string;
  /** The fields that the platform sets in a new record. `now`: in ISO 8601. */
  readonly initialFields?: (name: string, now: string) => JsonObject;
  /** The minimal fields besides the name, for a record about which nothing else is known. */
  readonly minimalFields?: (name: string) => JsonObject;
  /** Whether an org has a quota for their number (platform/quota.limits). */
  readonly hasQuota?: true;
  /**
   * The source of types, JSON Schema, validator and shape. A policy's depends on all kinds: which of them it can be
   * about.
   */
  readonly definition: TObject | ((targetKinds: readonly string[]) => TObject);
  readonly variants?: Variants;
  /**
   * Loads the facts that only `gantry KIND VERB` needs, from a file that plans do not load. Absent if the common
   * defaults apply.
   */
  readonly client?: (targetKinds: readonly string[]) => Promise<ClientFacts>;
}

/** The sheet of each kind; creatable kinds have a construct, and most have permissions. */
export type Sheets = {
  readonly [K in KnownKind]: Sheet &
    (K extends CreatableKind ? { readonly className: string } : unknown) &
    (K extends PermittedKind ? { readonly permissions: readonly string[] } : { readonly permissions?: never });
};
