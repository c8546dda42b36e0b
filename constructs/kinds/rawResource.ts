import type { Construct } from 'constructs';
import type { CreatableKind } from '../../src/schema/record/kinds.ts';
import { type GvcScopedProps, Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** A manifest as it is, beside what every resource has: `spec`, or the kind's own top-level fields. */
export interface RawResourceProps<Kind extends string> extends GvcScopedProps {
  /** One of those that Gantry knows, or another one. */
  readonly kind: Kind;
  readonly [field: string]: unknown;
}

/**
 * A resource whose manifest is written out: for generated manifests, and for what the interfaces do not offer. Its
 * fields may hold constructs, `sensitive()` and whatever else a manifest can have.
 *
 * Of a kind that Gantry knows it is a resource as any other: checked by every rule, planned, applied, and a reference
 * to this kind. Fields that the schema does not know are named in `lifecycle.untyped`. A manifest of another kind is
 * made by `app.synth()` and `Testing.synth`, for what else reads them, and refused by every command and by `synth` of
 * `gantry/testing` (`manifest.unknown-kind`). Nothing is known of what can be changed in it, how its lists are merged
 * and what it refers to, so that no patch of it could be proven; and once it is declared no more, no plan would look
 * for it to delete it.
 *
 * @example
 * new RawResource(gvc, 'web', { kind: 'workload', spec: JSON.parse(text) })
 */
export class RawResource<Kind extends string = CreatableKind> extends Resource<Kind> {
  constructor(scope: Construct, id: string, props: RawResourceProps<Kind>) {
    super(scope, id, props.kind, props, ownFields(props, 'kind'));
  }
}
