import type { Construct } from 'constructs';
import type { CreatableKind } from '../../src/schema/record/kinds.ts';
import { ownFields } from '../ownFields.ts';
import { type GvcScopedProps, Resource } from '../resource.ts';

/** A manifest as it is, beside what every resource has: `spec`, or the kind's own top-level fields. */
export interface RawResourceProps<Kind extends string> extends GvcScopedProps {
  /** One of those that Gantry knows, or one that `defineKind()` or `gantry.yaml` defines. */
  readonly kind: Kind;
  readonly [field: string]: unknown;
}

/**
 * A resource whose manifest is written out: for generated manifests, and for what the interfaces do not offer. Its
 * fields may hold constructs, `sensitive()` and whatever else a manifest can have.
 *
 * If Gantry knows the kind, every rule checks the resource, it is planned and applied, and others can refer to it. Fields that the schema does not know are named in `lifecycle.untyped`.
 *
 * Of a kind of your platform that Gantry does not know (`defineKind`, or `kinds` of `gantry.yaml`) it is planned,
 * applied, compared and deleted with what can be known of it: objects are merged key by key, lists are one value unless
 * their keys are defined, what the manifest does not mention stays, links in its texts decide the order, and deleting
 * it counts as a loss of data unless the kind is `disposable`. A kind that nobody defined is an error
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
