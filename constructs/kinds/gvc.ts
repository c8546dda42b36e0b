import type { Construct } from 'constructs';
import type { GvcSpec } from '../../src/schema/kinds/gvc.ts';
import type { Linkable, Linked } from '../linked.ts';
import { ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

export interface GvcProps extends ResourceProps, Linked<GvcSpec> {
  /**
   * Where its workloads run: names (`aws-us-west-2`), links or constructs. Added to `staticPlacement.locationLinks`.
   */
  readonly locations?: readonly (string | Linkable<'location'>)[] | undefined;
}

/** A global virtual cloud: locations and shared settings, the scope of workloads, identities and volume sets. */
export class Gvc extends Resource<'gvc'> {
  readonly #props: GvcProps;

  constructor(scope: Construct, id: string, props: GvcProps = {}) {
    super(scope, id, 'gvc', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    const { locations, staticPlacement } = this.#props;
    const spec = ownFields(this.#props, 'locations', 'staticPlacement');
    if (locations === undefined) return { spec: { ...spec, staticPlacement } };
    const locationLinks = [...(staticPlacement?.locationLinks ?? []), ...locations.map(locationLink)];
    return { spec: { ...spec, staticPlacement: { ...staticPlacement, locationLinks } } };
  }
}

function locationLink(location: string | Linkable<'location'>): string {
  if (typeof location !== 'string') return location.link;
  return location.startsWith('/') ? location : `//location/${location}`;
}
