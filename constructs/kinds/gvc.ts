import type { Construct } from 'constructs';
import type { GvcProps } from '../../generated/interfaces/props.ts';
import type { Linkable } from '../references.ts';
import { isResource, Resource, scopeError } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Where a GVC can be made: anywhere but inside of another GVC. */
export type OutsideOfGvc = Construct & { readonly insideOfGvc?: false };

/** A global virtual cloud: locations and shared settings, the scope of workloads, identities and volume sets. */
export class Gvc extends Resource<'gvc'> {
  /** For the compiler alone: what is made in a GVC can be no GVC. */
  declare readonly insideOfGvc: true;

  /** Errors: `stack.scope` inside of another GVC. */
  constructor(scope: OutsideOfGvc, id: string, props: GvcProps = {}) {
    super(scope, id, 'gvc', props, { spec: specOf(props) });
    const around = this.node.scopes.find((other) => other !== this && isResource(other) && other.kind === 'gvc');
    if (around === undefined) return;
    const message = `the GVC "${this.name}" is made inside of the GVC "${around.node.id}"`;
    throw scopeError(this.origin, message, 'A GVC is no part of another one: make it in the stack.');
  }
}

function specOf(props: GvcProps): object {
  const { locations, staticPlacement } = props;
  const spec = ownFields(props, 'locations', 'staticPlacement');
  if (locations === undefined) return { ...spec, staticPlacement };
  const locationLinks = [...(staticPlacement?.locationLinks ?? []), ...locations.map(locationLink)];
  return { ...spec, staticPlacement: { ...staticPlacement, locationLinks } };
}

function locationLink(location: string | Linkable<'location'>): string {
  if (typeof location !== 'string') return location.link;
  return location.startsWith('/') ? location : `//location/${location}`;
}
