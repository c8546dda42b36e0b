import type { Linkable } from '../../constructs/linkable.ts';
import type { ResourceProps } from '../../constructs/resource.ts';
import type { SecretKey } from '../../constructs/secretKey.ts';
import type { EnvVariable, KindInSpec, PropsOfKinds } from '../../generated/interfaces/props.ts';
import type { CreatableKind, DeclarableKind } from '../schema/record/kinds.ts';

/** `expect.any(String)`, `expect.stringContaining('x')`, … of vitest and jest. */
export interface Asymmetric {
  asymmetricMatch(other: unknown): boolean;
}

/** An expectation instead of a value; `undefined` if it must be absent. */
type Expected<Value> = Asymmetric | undefined | PartOf<Value>;

/** Some fields of objects, all items of lists; references are texts in a manifest. */
type PartOf<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends Linkable | SecretKey
    ? string
    : Value extends readonly (infer Item)[]
      ? readonly Expected<Item>[]
      : {
          readonly [Field in keyof Value]?: Field extends 'env'
            ? Expected<readonly EnvVariable[]>
            : Expected<Value[Field]>;
        };

/** The fields of props that a manifest has by the same name, for each member of a union. */
type FieldsOf<Props, Other extends string = never> = Props extends unknown
  ? PartOf<{ readonly [Field in keyof Props as Exclude<Field, keyof ResourceProps | 'gvc' | Other>]: Props[Field] }>
  : never;

interface InSpec<Spec> {
  readonly spec?: Asymmetric | Spec | undefined;
}

/** The fields of constructs that their records express differently. */
interface Apart {
  readonly gvc: 'locations';
  readonly workload: 'identity';
}
type OwnOf<Kind> = Kind extends keyof Apart ? Apart[Kind] : never;

/** The kind's own fields. */
type Fields<Kind> = Kind extends KindInSpec
  ? InSpec<
      FieldsOf<PropsOfKinds[Kind], OwnOf<Kind>> &
        (Kind extends 'workload' ? { readonly identityLink?: Expected<string> } : unknown)
    >
  : Kind extends keyof PropsOfKinds
    ? FieldsOf<PropsOfKinds[Kind]>
    : unknown;

/** The fields of every record; those that only the platform writes are in rehearsed ones. */
interface RecordFields {
  readonly kind?: Expected<string>;
  readonly name?: Expected<string>;
  readonly gvc?: Expected<string>;
  readonly description?: Expected<string>;
  readonly tags?: Asymmetric | { readonly [key: string]: unknown } | undefined;
  readonly lifecycle?: Asymmetric | { readonly [field: string]: unknown } | undefined;
  readonly status?: Asymmetric | { readonly [field: string]: unknown } | undefined;
  readonly id?: Expected<string>;
  readonly version?: Expected<number>;
  readonly links?: unknown;
  readonly created?: Expected<string>;
  readonly lastModified?: Expected<string>;
}

/** A part of the manifest of a kind; for a custom kind, any fields. `undefined`: the field must be absent. */
export type PartialManifest<Kind extends DeclarableKind = CreatableKind> = Kind extends CreatableKind
  ? RecordFields & Fields<Kind>
  : RecordFields & { readonly [field: string]: unknown };
