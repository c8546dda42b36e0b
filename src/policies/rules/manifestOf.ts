import type { Linkable } from '../../../constructs/linkable.ts';
import type { SecretKey } from '../../../constructs/secretKey.ts';
import type { EnvVariable, KindInSpec, PropsOfKinds } from '../../../generated/interfaces/props.ts';
import type { JsonValue } from '../../base/json/json.ts';
import type { Lifecycle } from '../../manifest/model/manifest.ts';
import type { CreatableKind, DeclarableKind } from '../../schema/record/kinds.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** A value of props as it is in a manifest: references are texts. */
type Written<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends Linkable | SecretKey
    ? string
    : Value extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : {
          readonly [Field in keyof Value]: Field extends 'env'
            ? readonly Written<EnvVariable>[] | undefined
            : Written<Value[Field]>;
        };

/** Fields of props that belong to the construct, or to every record. */
type NotWritten = 'gvc' | 'name' | 'description' | 'tags' | 'lifecycle' | keyof Lifecycle | 'renamedFrom' | 'dependsOn';

type FieldsOf<Props, Other extends string = never> = Props extends unknown
  ? Written<{ readonly [Field in keyof Props as Exclude<Field, NotWritten | Other>]: Props[Field] }>
  : never;

/** The fields of constructs that their records express differently. */
interface Apart {
  readonly gvc: 'locations';
  readonly workload: 'identity';
}
type OwnOf<Kind> = Kind extends keyof Apart ? Apart[Kind] : never;

type SpecOf<Kind extends KindInSpec> = FieldsOf<PropsOfKinds[Kind], OwnOf<Kind>> &
  (Kind extends 'workload' ? { readonly identityLink?: string | undefined } : unknown);

/** The kind's own fields; a domain and a GVC may have no settings. */
type Fields<Kind> = Kind extends 'domain' | 'gvc'
  ? { readonly spec?: SpecOf<Kind> | undefined }
  : Kind extends KindInSpec
    ? { readonly spec: SpecOf<Kind> }
    : Kind extends keyof PropsOfKinds
      ? FieldsOf<PropsOfKinds[Kind]>
      : unknown;

/** The members of every manifest. */
export interface AnyManifest {
  /** `kind/[gvc/]name`. */
  readonly id: ResourceId;
  readonly kind: string;
  readonly name: string;
  /** Absent for kinds of the org. */
  readonly gvc?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: { readonly [key: string]: JsonValue } | undefined;
  readonly lifecycle?: Lifecycle | undefined;
}

/** The complete manifest of a kind; for a custom kind, with any fields. */
export type ManifestOf<Kind extends DeclarableKind> = Kind extends CreatableKind
  ? AnyManifest & { readonly kind: Kind } & Fields<Kind>
  : AnyManifest & { readonly [field: string]: unknown };

/** Whether the manifest is of that kind, to narrow elements of `context.resources`. */
export function isKind<Kind extends CreatableKind>(
  manifest: AnyManifest,
  kind: Kind,
): manifest is AnyManifest & ManifestOf<Kind> {
  return manifest.kind === kind;
}

/** Replaces every sensitive text. */
export const masked = '(sensitive)';
