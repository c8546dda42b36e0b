import type { JsonValue } from '../src/schema/json/json.ts';
import type { CreatableKind } from '../src/schema/record/kinds.ts';

/** What a reference to a resource of ours needs; every construct that makes a manifest is one. */
export interface Linkable<Kind extends CreatableKind = CreatableKind> {
  readonly kind: Kind;
  /** `//secret/NAME`, `//gvc/GVC/workload/NAME`. */
  readonly link: string;
}

/** Which constructs a field takes beside text, by its name. The same names mean the same everywhere in the schema. */
interface LinkTargets {
  readonly agentLink: Linkable<'agent'>;
  readonly aliasWorkloadLink: Linkable<'workload'>;
  readonly cloudAccountLink: Linkable<'cloudaccount'>;
  readonly credentials: Linkable<'secret'>;
  readonly gvcLink: Linkable<'gvc'>;
  readonly identityLink: Linkable<'identity'>;
  readonly inboundAllowWorkload: Linkable<'workload' | 'agent'>;
  readonly ipSet: Linkable<'ipset'>;
  readonly location: Linkable<'location'>;
  readonly locationLink: Linkable<'location'>;
  readonly locationLinks: Linkable<'location'>;
  readonly memberLinks: Linkable<'serviceaccount'>;
  readonly principalLinks: Linkable<'group' | 'identity' | 'serviceaccount'>;
  readonly pullSecretLinks: Linkable<'secret'>;
  readonly secretLink: Linkable<'secret'>;
  readonly secrets: Linkable<'secret'>;
  readonly targetLinks: Linkable;
  /** Becomes `scheme://secret/NAME` or `scheme://volumeset/NAME`. */
  readonly uri: Linkable<'secret' | 'volumeset'>;
  readonly workloadLink: Linkable<'workload'>;
}

type Scalar = string | number | boolean | null | undefined;

/** An optional field may be given as `undefined` too, so that `condition ? value : undefined` can be written. */
type Gap<T, Key extends keyof T> = Record<never, never> extends Pick<T, Key> ? undefined : never;

type Field<Value, Target> = Value extends readonly string[]
  ? readonly (string | Target)[]
  : Value extends string
    ? string | Target
    : Value;

/** A type of the schema as authors may write it: read-only, and constructs where the schema has links. */
export type Linked<T> = [JsonValue] extends [T]
  ? T
  : T extends Scalar
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Linked<Item>[]
      : {
          readonly [Key in keyof T]:
            | (Key extends keyof LinkTargets ? Field<NonNullable<T[Key]>, LinkTargets[Key]> : Linked<T[Key]>)
            | Gap<T, Key>;
        };
