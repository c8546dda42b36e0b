import type { Construct } from 'constructs';
import type { CreatableKind } from '../../src/schema/record/kinds.ts';
import { ownFields } from '../ownFields.ts';
import { type GvcScopedProps, Resource } from '../resource.ts';

/** An unchanged manifest, in addition to the props of every resource: `spec`, or the kind's own top-level fields. */
export interface RawResourceProps<Kind extends string> extends GvcScopedProps {
  /** A kind that Gantry knows, or one that `defineKind()` or `gantry.yaml` defines. */
  readonly kind: Kind;
  readonly [field: string]: unknown;
}

/**
 * A resource whose manifest is written out: for generated manifests, and for fields that the interfaces do not have.
 * Its fields may contain constructs, `sensitive()` and any other value of a manifest.
 *
 * If Gantry knows the kind, every rule checks the resource, it is planned and applied, and others can refer to it.
 * Fields that the schema does not know are named in `lifecycle.untyped`.
 *
 * For a kind of your platform that Gantry does not know (`defineKind`, or `kinds` of `gantry.yaml`), the resource is
 * planned, applied, compared and deleted by its definition: objects are merged key by key, lists are one value unless
 * their keys are defined, fields that are not in the manifest stay, links in its texts determine the order, and its
 * deletion counts as a loss of data unless the kind is `disposable`. An undefined kind is an error
 * (`manifest.unknown-kind`).
 *
 * @example
 * new RawResource(gvc, 'web', { kind: 'workload', spec: JSON.parse(text) });
 * new RawResource(stack, 'one', { kind: defineKind('widget'), size: 3 });
 */
export class RawResource<Kind extends string = CreatableKind> extends Resource<Kind> {
  constructor(scope: Construct, id: string, props: RawResourceProps<Kind>) {
    super(scope, id, props.kind, props, ownFields(props, 'kind'));
  }
}
